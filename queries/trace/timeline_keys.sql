-- title: Keys that lead to lines and Kubernetes Events which name no work: its objects, CloudEvents and operations
-- parameters: resource_id
-- tables: resources, status_events, log_lines, coverage, applied_manifest_works, kube_objects, manifest_works
-- views: manifests
select name as key, 'object_name' as column_name
from manifests
where resource_id = $1 and name is not null
union
select op_id, 'op_id' from log_lines where resource_id = $1 and op_id is not null
union
select op_id, 'op_id' from resources where id = $1 and op_id is not null
union
select cloud_event_id, 'cloud_event_id' from log_lines where resource_id = $1 and cloud_event_id is not null
union
select spec_event_id, 'cloud_event_id' from resources where id = $1 and spec_event_id is not null
order by key, column_name
