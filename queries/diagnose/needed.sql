-- title: The tables that were collected, and whether what is not in them was not there
-- tables: collection
select
    table_name,
    bool_or(outcome = 'ok' and whole is distinct from false) as whole
from collection
where table_name is not null and (outcome = 'ok' or rows > 0)
group by table_name
order by table_name
