-- title: Which tables were collected, as far as can be told whole
-- tables: collection
create or replace temp table collected_tables as
select distinct table_name, cluster
from collection
where table_name is not null and outcome = 'ok' and whole is distinct from false;
