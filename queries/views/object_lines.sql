-- title: Lines of agents that name an object of a work and no work
-- tables: log_lines, coverage, resources, status_events, applied_manifest_works, kube_objects, manifest_works
-- views: applied_works, agent_lines, manifests
-- shape: row_no bigint, resource_id varchar, pod varchar, logged_at timestamp, message varchar, manifest varchar
-- The agent writes what it applies without an id. Such a line is a work's if it names one of its manifests, stands in the
-- log of the agent that serves it, and falls between a delivery of the work and the report that it is deleted.
with consumers_of as (
    select id as resource_id, consumer_name as consumer from resources
    union
    select resource_id, json_extract_string(payload, '$.clustername') from status_events where json_valid(payload)
    union
    select resource_id, consumer from log_lines where resource_id is not null
),
agents as (
    select consumers_of.resource_id, coverage.file, coverage.pod
    from coverage
    join consumers_of using (consumer)
    where coverage.component = 'agent'
    union
    select resource_id, file, pod from agent_lines
),
turns as (
    select resource_id, epoch_us(logged_at)::hugeint as turned_at, true as has_it
    from agent_lines
    where message = 'Received event' and event_type like 'spec.%'
    union all
    select resource_id, min(epoch_us(logged_at)), true from agent_lines group by resource_id
    union all
    -- Rounded down: a second later it surely had it.
    select resource_id, min(epoch_us(created_at))::hugeint + 1000000, true from applied_works group by resource_id
    union all
    select resource_id, epoch_us(logged_at), false
    from agent_lines
    where message = 'Sending event' and event_type like 'status.%' and deleting and not coalesce(finalizers, false)
),
objects as (
    select distinct resource_id, kind, lower(kind) as kind_of, namespace, name from manifests where name is not null
),
named as (
    select
        lines.row_no,
        objects.resource_id,
        lines.file,
        lines.pod,
        lines.logged_at,
        lines.message,
        concat_ws(' ', objects.kind, concat_ws('/', objects.namespace, objects.name)) as manifest
    from log_lines as lines
    join objects
        on lines.object_name = objects.name
        and nullif(lines.object_namespace, '') is not distinct from objects.namespace
        and lower(lines.object_resource) in (
            kind_of, kind_of || 's', kind_of || 'es', regexp_replace(kind_of, 'y$', 'ies')
        )
    where lines.component = 'agent' and lines.resource_id is null and lines.work_name is null
    -- A manifest may be there twice, by its kind and by its plural.
    qualify row_number() over (partition by lines.row_no, objects.resource_id order by objects.kind) = 1
)
select row_no, resource_id, pod, logged_at, message, manifest
from named
where exists (
    select 1
    from agents
    where agents.resource_id = named.resource_id
      and agents.file = named.file
      and agents.pod is not distinct from named.pod
)
and (
    select arg_max(has_it, turned_at)
    from turns
    where turns.resource_id = named.resource_id and turned_at <= epoch_us(named.logged_at)
)
