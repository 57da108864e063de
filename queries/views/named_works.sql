-- title: Works by name, where something calls them by it: agents before 2026-01-14 knew a work by the name that its client gave
-- tables: resources, status_events, log_lines, applied_manifest_works
-- shape: resource_id varchar, work_name varchar, consumer varchar
with called as not materialized (
    select work_name from log_lines where resource_id is null and work_name is not null
    union all
    select manifest_work_name from applied_manifest_works
),
works as not materialized (
    select id as resource_id, work_name, consumer_name as consumer
    from resources
    union all
    select resource_id, work_name, json_extract_string(payload, '$.clustername')
    from status_events
    where json_valid(payload)
    union all
    select resource_id, work_name, consumer
    from log_lines
    where resource_id is not null and consumer is not null
)
select distinct resource_id, work_name, consumer
from works
semi join called using (work_name)
