-- title: Words that no rule may answer with
-- views: looked
select distinct coalesce(answer, 'nothing') || coalesce(' (' || severity || ')', '') as words
from looked
where coalesce(answer, '') not in ('found', 'clear', 'unknown') or severity not in ('error', 'warning', 'info')
order by words
