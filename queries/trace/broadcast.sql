-- title: Hop 8: each replica broadcast the status to its own subscribers
-- tables: status_events, event_instances, log_lines
-- views: asked, status_lines
-- The line names the status event; the version is that of the status which was stored last before it.
with stored as (
    select resource_id, logged_at as stored_at, status_version
    from status_lines
    where resource_id in (from asked) and message = 'resource status update event was sent'
),
lines as (
    select lines.*, stored.status_version
    from (select * from log_lines where resource_id in (from asked) and message = 'Broadcast the resource status') as lines
    asof left join stored on lines.resource_id = stored.resource_id and lines.logged_at >= stored.stored_at
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
join event_instances on event_instances.event_id = status_events.id
where resource_id in (from asked)
order by resource_id, "at", evidence
