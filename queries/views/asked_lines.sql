-- title: Log lines that name a work that is asked for
-- tables: log_lines
-- views: asked
-- shape: row_no bigint, file varchar, pod varchar, component varchar, logged_at timestamp, message varchar,
--   resource_id varchar, work_name varchar, consumer varchar, source varchar, event_type varchar, event_id varchar,
--   cloud_event_id varchar, sequence_id varchar, op_id varchar, instance_id varchar, resource_version bigint,
--   status_event_type varchar, deleting boolean, request_method varchar, found varchar, want varchar, error varchar
-- Nearly every statement of a trace begins with them, so they are looked for once.
select
    row_no,
    file,
    pod,
    component,
    logged_at,
    message,
    resource_id,
    work_name,
    consumer,
    source,
    event_type,
    event_id,
    cloud_event_id,
    sequence_id,
    op_id,
    instance_id,
    resource_version,
    status_event_type,
    deleting,
    request_method,
    found,
    want,
    error
from log_lines
semi join asked using (resource_id)
