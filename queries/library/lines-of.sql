-- title: Log lines about a work
-- answers: every line that names the resource or one of its operations, from all pods in one order
-- parameter id: The resource id, or the whole name of the work
-- instead of: troubleshooting/scripts/trace_request.sh; dacapo trace judges them as well
-- tables: log_lines
with named as (
    select distinct resource_id from log_lines where work_name = $id and resource_id is not null
)
select logged_at, cluster, pod, component, level, message, error, 'log_lines:' || row_no as evidence
from log_lines
where resource_id = $id or work_name = $id or resource_id in (select resource_id from named)
order by logged_at nulls last, log_lines.row_no;
