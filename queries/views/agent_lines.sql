-- title: Lines of agents with the resource that each is about, also where they call it by the work's name
-- tables: log_lines, coverage, resources, status_events
create view agent_lines as
select * from log_lines where component = 'agent' and resource_id is not null
union all
select lines.* replace (named_works.resource_id as resource_id)
from log_lines as lines
join named_works using (work_name)
where lines.component = 'agent'
  and lines.resource_id is null
  and exists (
      select 1
      from coverage
      where coverage.file = lines.file
        and coverage.pod is not distinct from lines.pod
        and coverage.consumer = named_works.consumer
  );
