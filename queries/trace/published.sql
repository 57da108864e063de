-- title: Hop 2: the request was stored, picked up and published
-- tables: events, log_lines, resources
-- views: asked
-- "Sending event" comes before the send: success is the event row's reconciled_date, or no error after it.
with changes as (
    select
        source_id as resource_id,
        id,
        lower(event_type) as request,
        created_at,
        reconciled_date,
        'events:' || row_no as evidence
    from events
    where source_id in (from asked)
),
event_ids as (
    select resource_id, id from changes
    union
    select resource_id, event_id
    from log_lines
    where resource_id in (from asked) and component = 'server' and message like 'Publishing resource for db row %'
),
-- What a server writes about an event of the work need not name the work.
own_lines as (
    select resource_id, row_no, file, pod, logged_at, message, event_type, event_id, cloud_event_id, op_id, resource_version, error
    from log_lines
    where component = 'server' and resource_id in (from asked)
    union all
    select
        event_ids.resource_id,
        row_no,
        file,
        pod,
        logged_at,
        message,
        event_type,
        event_id,
        cloud_event_id,
        op_id,
        resource_version,
        error
    from log_lines
    join event_ids on event_ids.id = log_lines.event_id
    where component = 'server' and log_lines.resource_id is distinct from event_ids.resource_id
),
-- From verbosity 5 on "Sending event" does not name the row; the pod named it when it picked the event up.
lines as (
    select
        * replace (
            case
                when message = 'Sending event'
                 and event_type in ('spec.create_request', 'spec.update_request', 'spec.delete_request')
                    then coalesce(event_id, last_value(
                        case when message like 'Publishing resource for db row %' then event_id end ignore nulls
                    ) over (
                        partition by resource_id, coalesce(pod, file)
                        order by logged_at, row_no
                        rows between unbounded preceding and current row
                    ))
                else event_id
            end as event_id
        )
    from own_lines
),
operations as (
    select resource_id, op_id from log_lines where resource_id in (from asked) and op_id is not null
    union
    select id, op_id from resources where id in (from asked) and op_id is not null
)
select
    resource_id,
    2 as hop,
    'stored' as step,
    'tried' as sign,
    request,
    null::bigint as version,
    id as event_id,
    null as cloud_event_id,
    null as op_id,
    created_at as "at",
    'database' as place,
    evidence,
    null as about
from changes
union all
-- An event that waits while its work is deleted is skipped, and reconciled all the same.
select
    resource_id,
    2,
    case when overtaken then 'reconciled late' else 'published' end,
    case when overtaken then 'tried' else 'passed' end,
    request,
    null,
    id,
    null,
    null,
    reconciled_date,
    'database',
    evidence,
    'reconciled'
from (
    select
        *,
        request <> 'delete' and exists (
            select 1
            from changes as deletes
            where deletes.resource_id = changes.resource_id
              and deletes.request = 'delete'
              and deletes.created_at between changes.created_at and changes.reconciled_date
        ) as overtaken
    from changes
    where reconciled_date is not null
)
union all
select
    resource_id,
    2,
    case when message = 'Sending event' then 'sending' else 'picked up' end,
    'tried',
    case
        when message like '%insert' or event_type = 'spec.create_request' then 'create'
        when message like '%update' or event_type = 'spec.update_request' then 'update'
        else 'delete'
    end,
    resource_version,
    event_id,
    cloud_event_id,
    op_id,
    logged_at as "at",
    pod,
    'log_lines:' || row_no,
    null
from lines
where message like 'Publishing resource for db row %'
   or message = 'Sending event' and event_id is not null
      and event_type in ('spec.create_request', 'spec.update_request', 'spec.delete_request')
union all
select
    resource_id,
    2,
    case message when 'Failed to publish resource' then 'publishing' else 'handling' end,
    'failed',
    null,
    null,
    event_id,
    null,
    null,
    logged_at,
    pod,
    'log_lines:' || row_no,
    error
from lines
where message in ('Failed to publish resource', 'Failed to handle the event')
union all
select resource_id, 2, 'skipped', 'skipped', null, null, event_id, null, null, logged_at, pod, 'log_lines:' || row_no, message
from lines
where message like 'skipping % for resource that is marked as deleting%'
union all
select resource_id, 2, 'not mine', 'skipped', null, null, event_id, null, null, logged_at, pod, 'log_lines:' || row_no, message
from lines
where message = 'Event should not be processed by this instance'
union all
-- The server does not log why it refuses; the client does.
select operations.resource_id, 2, 'refused', 'tried', null, null, null, null, operations.op_id, logged_at, pod, 'log_lines:' || row_no, error
from log_lines
join operations on operations.op_id = log_lines.op_id
where component = 'client'
  and regexp_matches(error, 'failed to (create|update|delete|get) resource: maestro-[0-9]+')
order by resource_id, "at", evidence
