-- title: Lines of agents with the resource that each is about, also where they call it by the work's name
-- tables: log_lines, coverage, resources, status_events, applied_manifest_works
-- views: named_works
-- shape: row_no bigint, file varchar, pod varchar, logged_at timestamp, message varchar, error varchar,
--   resource_id varchar, work_name varchar, event_type varchar, resource_version bigint, op_id varchar,
--   cloud_event_id varchar, sequence_id varchar, deleting boolean, finalizers boolean, object_group varchar,
--   object_resource varchar, object_namespace varchar, object_name varchar
with lines as not materialized (
    select
        row_no,
        file,
        pod,
        logged_at,
        message,
        error,
        resource_id,
        work_name,
        event_type,
        resource_version,
        op_id,
        cloud_event_id,
        sequence_id,
        deleting,
        finalizers,
        object_group,
        object_resource,
        object_namespace,
        object_name
    from log_lines
    where component = 'agent'
),
served as not materialized (
    select distinct resource_id, work_name, file, pod
    from named_works
    join coverage using (consumer)
)
select * from lines where resource_id is not null
union all
select lines.* replace (served.resource_id as resource_id)
from lines
join served
    on served.work_name = lines.work_name
    and served.file = lines.file
    and served.pod is not distinct from lines.pod
where lines.resource_id is null
