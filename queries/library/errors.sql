-- title: Errors in logs, by what they say
-- answers: what goes wrong most often, since when and where
-- parameter component =: `server`, `agent`, `client` or `other`; all without it
-- tables: log_lines
select
    component,
    level,
    message,
    count(*) as lines,
    count(distinct pod) as pods,
    min(logged_at) as first_at,
    max(logged_at) as last_at,
    'log_lines:' || min(row_no) as evidence
from log_lines
where level in ('error', 'fatal') and ($component = '' or component = $component)
group by component, level, message
order by lines desc, first_at nulls last, component, message;
