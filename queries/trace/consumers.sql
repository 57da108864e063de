-- title: The consumers that the database knows
-- tables: consumers
select name
from consumers
where name is not null
order by name
