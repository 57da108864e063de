-- title: The server replicas that the database knows, beside each work
-- tables: server_instances, resources, events, status_events
-- views: asked
-- A bundle may hold the databases of several installations. Rows of one database lie in one folder.
with rows as not materialized (
    select id as resource_id, file from resources
    union all
    select source_id, file from events
    union all
    select resource_id, file from status_events
),
folders as not materialized (
    select resource_id, regexp_replace(file, '[^/]*$', '') as folder from rows where file is not null
),
instances as not materialized (
    select *, regexp_replace(file, '[^/]*$', '') as folder from server_instances
),
beside as not materialized (
    select
        asked.resource_id,
        instances.*,
        case when folder is not null then (asked.resource_id, folder) in (select resource_id, folder from folders) end as is_own
    from asked
    cross join instances
)
select
    resource_id,
    id,
    created_at,
    last_heartbeat,
    not is_own and bool_or(is_own) over (partition by resource_id) as elsewhere
from beside
order by resource_id, id, row_no
