-- title: Keys that lead from what is loaded to more: event rows, status events, AppliedManifestWorks, operations
-- tables: events, status_events, applied_manifest_works, log_lines
select id as key from events
union
select id from status_events
union
select name from applied_manifest_works
union
select event_id from log_lines where event_id is not null
union
select op_id
from log_lines
where message in ('user request error', 'receive the event from client') and op_id is not null
order by key
