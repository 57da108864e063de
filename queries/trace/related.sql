-- title: Keys that lead from what is loaded to more: event rows, status events, AppliedManifestWorks, objects, operations
-- tables: events, status_events, applied_manifest_works, log_lines, coverage, resources, kube_objects
select id as key, null as only_in from events
union
select id, null from status_events
union
select name, null from applied_manifest_works
union
select event_id, null from log_lines where event_id is not null
union
select op_id, null
from log_lines
where message in ('user request error', 'receive the event from client') and op_id is not null
union
select name, 'kube_objects' from manifests where seen_in = 'payload' and name is not null
order by key, only_in
