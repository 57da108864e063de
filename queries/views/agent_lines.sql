-- title: Lines of agents with the resource that each is about, also where they call it by the work's name
-- tables: log_lines, coverage, resources, status_events, applied_manifest_works
-- views: named_works
with lines as (
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
)
select * from lines where resource_id is not null
union all
select lines.* replace (named_works.resource_id as resource_id)
from lines
join named_works using (work_name)
where lines.resource_id is null
  and exists (
      select 1
      from coverage
      where coverage.file = lines.file
        and coverage.pod is not distinct from lines.pod
        and coverage.consumer = named_works.consumer
  )
