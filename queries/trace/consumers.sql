-- title: The consumers that the database knows
-- tables: consumers
select id, name
from consumers
where name is not null
order by name, id
