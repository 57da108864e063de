-- title: Sub-steps of hops that no verdict rests on
-- parameters: resource_id
-- tables: log_lines, resources, events, status_events, coverage, applied_manifest_works, kube_objects, manifest_works
-- views: agent_lines, object_lines
-- Attempts, and what other replicas left alone. Look-ups belong to a request by its operation, lines of the event queue
-- by the row in events, the rest by time. Of what an agent does to an object, the delivery before it tells what it is for.
with event_ids as (
    select id from events where source_id = $1
    union
    select event_id
    from log_lines
    where resource_id = $1 and component = 'server' and message like 'Publishing resource for db row %'
),
deliveries as (
    select resource_id, logged_at, coalesce(deleting, false) or event_type = 'spec.delete_request' as deleting
    from agent_lines
    where resource_id = $1 and message = 'Received event' and event_type like 'spec.%'
),
touches as (
    select resource_id, manifest, logged_at, pod, row_no, message from object_lines where resource_id = $1
    union all
    select
        resource_id,
        concat_ws(' ', object_resource, concat_ws('/', nullif(object_namespace, ''), object_name)),
        logged_at,
        pod,
        row_no,
        message
    from agent_lines
    where resource_id = $1 and object_name is not null and message = 'Deleted resource'
),
steps as (
    select
        1 as hop,
        'looked up' as step,
        'tried' as sign,
        null as request,
        null::bigint as version,
        null as event_id,
        null as cloud_event_id,
        op_id,
        logged_at as "at",
        pod as place,
        'log_lines:' || row_no as evidence,
        error as about
    from log_lines
    where resource_id = $1 and component = 'server' and (message = 'user request error' or request_method = 'GET')
    union all
    select 2, 'notified', 'tried', null, null, event_id, null, null, logged_at, pod, 'log_lines:' || row_no, null
    from log_lines
    where message = 'Received event from channel' and event_id in (select id from event_ids)
    union all
    select 2, 'left alone', 'skipped', null, null, event_id, null, null, logged_at, pod, 'log_lines:' || row_no, message
    from log_lines
    where message in ('Event is processed by another worker', 'Event is already reconciled', 'Event is not found')
      and event_id in (select id from event_ids)
    union all
    select
        3,
        'taken into store',
        'tried',
        null,
        null,
        null,
        null,
        null,
        logged_at,
        pod,
        'log_lines:' || row_no,
        regexp_extract(message, '^Receive the event (\w+) for ', 1)
    from agent_lines
    where resource_id = $1 and message like 'Receive the event % for %'
    union all
    select
        4,
        manifest,
        'tried',
        case when deliveries.deleting then 'delete' end,
        null,
        null,
        null,
        null,
        touches.logged_at,
        pod,
        'log_lines:' || row_no,
        message
    from touches
    asof left join deliveries
        on touches.resource_id = deliveries.resource_id and touches.logged_at >= deliveries.logged_at
    union all
    select 7, 'first status', 'tried', null, null, null, null, op_id, logged_at, pod, 'log_lines:' || row_no, null
    from log_lines
    where resource_id = $1 and message = 'First status received from agent'
)
select $1 as resource_id, *
from steps
order by "at", evidence
