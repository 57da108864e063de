-- title: What the log says where no work is named: shutdowns, connections, listeners, subscribers
-- tables: log_lines
select
    component,
    coalesce(pod, file) as pod,
    logged_at as "at",
    message,
    source,
    consumer,
    'log_lines:' || row_no as evidence
from log_lines
where resource_id is null and message is not null
order by logged_at, row_no
