-- title: Hop 8: each replica broadcast the status to its own subscribers
-- tables: status_events, event_instances, log_lines
-- views: asked, asked_lines, status_lines
-- The line names the status event; the version is that of the status which was stored last before it.
with turns as not materialized (
    select resource_id, logged_at, row_no, pod, instance_id, event_id, status_event_type, null::bigint[] as stored
    from asked_lines
    where message = 'Broadcast the resource status'
    union all
    select resource_id, logged_at, null, null, null, null, null, [status_version]
    from status_lines
    where message = 'resource status update event was sent' and logged_at is not null
),
lines as not materialized (
    select
        *,
        last_value(stored ignore nulls) over (
            partition by resource_id
            order by logged_at
            range between unbounded preceding and current row
        )[1] as status_version
    from turns
)
select
    resource_id,
    8 as hop,
    'broadcast' as step,
    'passed' as sign,
    case status_event_type when 'StatusDelete' then 'delete' end as request,
    status_version as version,
    event_id,
    null as cloud_event_id,
    null as op_id,
    logged_at as "at",
    coalesce(instance_id, pod) as place,
    'log_lines:' || row_no as evidence,
    null as about
from lines
where row_no is not null
union all
select
    resource_id,
    8,
    'instance',
    'passed',
    case status_event_type when 'StatusDelete' then 'delete' end,
    null,
    status_events.id,
    null,
    null,
    status_events.created_at,
    event_instances.instance_id,
    'event_instances:' || event_instances.row_no,
    null
from status_events
semi join asked using (resource_id)
join event_instances on event_instances.event_id = status_events.id
order by resource_id, "at", evidence
