-- title: What a rule found, and what it cannot tell
-- views: looked
select answer, severity, work, consumer, place, "at", text, shares, evidence, cause
from looked
where answer <> 'clear'
order by answer, "at" nulls last, consumer, place, work, text, evidence
