-- title: The server replicas that the database knows, beside each work
-- tables: server_instances, resources, events, status_events
-- views: asked
-- A bundle may hold the databases of several installations. Rows of one database lie in one folder.
with own_rows as (
    select id as resource_id, file from resources where id in (from asked)
    union all
    select source_id, file from events where source_id in (from asked)
    union all
    select resource_id, file from status_events where resource_id in (from asked)
),
own as (
    select distinct resource_id, regexp_replace(file, '[^/]*$', '') as folder from own_rows
),
instances as (
    select *, regexp_replace(file, '[^/]*$', '') as folder from server_instances
),
beside as (
    select asked.resource_id, instances.*, case when instances.folder is not null then own.folder is not null end as is_own
    from asked
    cross join instances
    left join own on own.resource_id = asked.resource_id and own.folder = instances.folder
)
select
    resource_id,
    id,
    created_at,
    last_heartbeat,
    not is_own and bool_or(is_own) over (partition by resource_id) as elsewhere
from beside
order by resource_id, id, row_no
