-- title: Connections to the broker: lost, refused, made again
-- answers: when a server or an agent was without its broker
-- parameter component =: `server` or `agent`; both without it
-- tables: log_lines
select logged_at, cluster, pod, component, level, coalesce(error, message) as said, 'log_lines:' || row_no as evidence
from log_lines
where component in ('server', 'agent')
  and ($component = '' or component = $component)
  and regexp_matches(
      text, '(client|broker|mqtt|grpc|transport).*(disconnect|reconnect|is connected|connection refused|unavailable)', 'i'
  )
order by logged_at nulls last, log_lines.row_no;
