-- title: Works by name: agents before 2026-01-14 knew a work by the name that its client gave
-- tables: resources, status_events, log_lines
create or replace temp table named_works as
select id as resource_id, work_name, consumer_name as consumer
from resources
where work_name is not null
union
select resource_id, work_name, json_extract_string(payload, '$.clustername')
from status_events
where work_name is not null and json_valid(payload)
union
select resource_id, work_name, consumer
from log_lines
where resource_id is not null and work_name is not null and consumer is not null;
