-- title: Resource ids that log lines give a work name
-- answers: the resource id of a work, where there is no database
-- parameter name: The name of the work
-- instead of: grep metadata | grep <work_name> | grep uid
-- tables: log_lines
select
    work_name,
    resource_id,
    consumer,
    count(*) as lines,
    min(logged_at) as first_at,
    max(logged_at) as last_at,
    'log_lines:' || min(row_no) as evidence
from log_lines
where work_name = $name and resource_id is not null
group by work_name, resource_id, consumer
order by first_at nulls last, resource_id, consumer;
