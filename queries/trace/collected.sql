-- title: Which tables were collected whole, also those without rows
-- tables: collection
select table_name, cluster
from collection
where table_name is not null and outcome = 'ok' and whole is distinct from false
order by table_name, cluster
