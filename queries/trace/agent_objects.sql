-- title: Objects that an agent's log names together with a work
-- parameters: resource_id
-- tables: log_lines, coverage, resources, status_events, applied_manifest_works
-- views: agent_lines
select
    object_group as "group",
    object_resource as resource,
    object_namespace as namespace,
    object_name as name,
    'log_lines:' || min(row_no) as evidence
from agent_lines
where resource_id = $1 and object_name is not null
group by all
order by resource, namespace, name, "group"
