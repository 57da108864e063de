-- title: Lines of servers that carry requests and statuses
-- answers: what the Kusto export of server logs keeps
-- parameter since =: From this time on
-- parameter until =: Up to this time
-- instead of: kubesystem | where container_name contains "service" | where log contains "receive the event from client" or …
-- tables: log_lines
select logged_at, pod, message, resource_id, event_type, text, 'log_lines:' || row_no as evidence
from log_lines
where component = 'server'
  and ($since = '' or logged_at >= nullif($since, '')::timestamp)
  and ($until = '' or logged_at <= nullif($until, '')::timestamp)
  and regexp_matches(
      text,
      'receive the event from client|Publishing resource|received action STATUSMODIFIED|skipping resource status update'
      || '|status (update|delete) event was sent|Broadcast the resource status|send the event to status subscribers'
      || '|io\.open-cluster-management\.works\.v1alpha1\.manifestbundles|metadata',
      'i'
  )
order by logged_at nulls last, log_lines.row_no;
