-- title: Lines of agents that carry requests and statuses
-- answers: what the Kusto export of agent logs keeps
-- parameter since =: From this time on
-- parameter until =: Up to this time
-- instead of: kubesystem | where container_name contains "maestro-agent" | where log contains "Received event" or …
-- tables: log_lines
select logged_at, pod, message, resource_id, event_type, text, 'log_lines:' || row_no as evidence
from log_lines
where component = 'agent'
  and ($since = '' or logged_at >= nullif($since, '')::timestamp)
  and ($until = '' or logged_at <= nullif($until, '')::timestamp)
  and not regexp_matches(text, 'Object is patched|Patching resource', 'i')
  and regexp_matches(
      text,
      'Received event|Receive the event|Sending event|io\.open-cluster-management\.works\.v1alpha1\.manifestbundles|metadata',
      'i'
  )
order by logged_at nulls last, log_lines.row_no;
