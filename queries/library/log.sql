-- title: Log lines with a text in them
-- answers: what grep answers, with the time, the pod and a reference to each line
-- parameter text =: What the line has in it, in small or capital letters
-- parameter component =: `server`, `agent`, `client` or `other`; all without it
-- parameter level =: `info`, `warning`, `error` or `fatal`; all without it
-- parameter since =: From this time on
-- parameter until =: Up to this time
-- with text=… instead of: grep <text> *.log
-- with component=agent instead of: kubectl logs -n maestro-agent -l app=maestro-agent
-- tables: log_lines
select logged_at, cluster, pod, component, level, text, 'log_lines:' || row_no as evidence
from log_lines
where ($text = '' or contains(lower(text), lower($text)))
  and ($component = '' or component = $component)
  and ($level = '' or level = $level)
  and ($since = '' or logged_at >= nullif($since, '')::timestamp)
  and ($until = '' or logged_at <= nullif($until, '')::timestamp)
order by logged_at nulls last, log_lines.row_no;
