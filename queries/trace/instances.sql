-- title: The server replicas that the database knows
-- parameters: resource_id
-- tables: server_instances, resources, events, status_events
-- A bundle may hold the databases of several installations. Rows of one database lie in one folder.
with own_rows as (
    select file from resources where id = $1
    union all
    select file from events where source_id = $1
    union all
    select file from status_events where resource_id = $1
),
own as (
    select distinct regexp_replace(file, '[^/]*$', '') as folder from own_rows
),
instances as (
    select *, regexp_replace(file, '[^/]*$', '') in (from own) as is_own from server_instances
)
select id, created_at, last_heartbeat, not is_own and (select bool_or(is_own) from instances) as elsewhere
from instances
order by id, row_no
