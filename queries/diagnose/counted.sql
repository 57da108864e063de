-- title: How many things a rule looked at, by what it says of them
-- views: looked
select answer, count(*) as things
from looked
group by answer
order by answer
