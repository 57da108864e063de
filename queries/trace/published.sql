-- title: Hop 2: the request was stored, picked up and published
-- tables: events, log_lines, resources
-- views: asked, asked_lines
-- "Sending event" comes before the send: success is the event row's reconciled_date, or no error after it.
with changes as (
    select
        source_id as resource_id,
        id,
        lower(event_type) as request,
        created_at,
        reconciled_date,
        'events:' || row_no as evidence,
        -- An event that waits while its work is deleted is skipped, and reconciled all the same.
        lower(event_type) <> 'delete' and min(created_at) filter (where lower(event_type) = 'delete') over (
            partition by source_id
            order by created_at
            range between current row and unbounded following
        ) <= reconciled_date as late
    from events
    semi join asked on asked.resource_id = events.source_id
),
event_ids as not materialized (
    select resource_id, id from changes
    union
    select resource_id, event_id
    from asked_lines
    where component = 'server' and message like 'Publishing resource for db row %'
),
-- What a server writes about an event of the work need not name the work.
nameless as not materialized (
    select row_no, file, pod, logged_at, message, event_type, event_id, cloud_event_id, op_id, resource_version, error
    from log_lines
    anti join asked using (resource_id)
    where component = 'server' and event_id is not null
),
own_lines as not materialized (
    select resource_id, row_no, file, pod, logged_at, message, event_type, event_id, cloud_event_id, op_id, resource_version, error
    from asked_lines
    where component = 'server'
    union all
    select event_ids.resource_id, nameless.*
    from nameless
    join event_ids on event_ids.id = nameless.event_id
),
-- From verbosity 5 on "Sending event" does not name the row; the pod named it when it picked the event up.
lines as not materialized (
    select
        * replace (
            case
                when message = 'Sending event' then coalesce(event_id, last_value(
                    case when message like 'Publishing resource for db row %' then event_id end ignore nulls
                ) over (
                    partition by resource_id, coalesce(pod, file)
                    order by logged_at, row_no
                    rows between unbounded preceding and current row
                ))
                else event_id
            end as event_id
        ),
        case
            when message like 'Publishing resource for db row %' then 'picked up'
            when message = 'Sending event'
             and event_type in ('spec.create_request', 'spec.update_request', 'spec.delete_request')
                then 'sending'
            when message = 'Failed to publish resource' then 'publishing'
            when message = 'Failed to handle the event' then 'handling'
            when message like 'skipping % for resource that is marked as deleting%' then 'skipped'
            when message = 'Event should not be processed by this instance' then 'not mine'
        end as step
    from own_lines
),
-- The server does not log why it refuses; the client does.
refusals as not materialized (
    select row_no, pod, logged_at, op_id, error
    from log_lines
    where component = 'client'
      and regexp_matches(error, 'failed to (create|update|delete|get) resource: maestro-[0-9]+')
),
operations as not materialized (
    select resource_id, op_id from asked_lines
    union
    select id, op_id from resources semi join asked on asked.resource_id = resources.id
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
select
    resource_id,
    2,
    case when late then 'reconciled late' else 'published' end,
    case when late then 'tried' else 'passed' end,
    request,
    null,
    id,
    null,
    null,
    reconciled_date,
    'database',
    evidence,
    'reconciled'
from changes
where reconciled_date is not null
union all
select
    resource_id,
    2,
    step,
    case
        when step in ('picked up', 'sending') then 'tried'
        when step in ('publishing', 'handling') then 'failed'
        else 'skipped'
    end as sign,
    case
        when step not in ('picked up', 'sending') then null
        when message like '%insert' or event_type = 'spec.create_request' then 'create'
        when message like '%update' or event_type = 'spec.update_request' then 'update'
        else 'delete'
    end,
    case when step in ('picked up', 'sending') then resource_version end,
    event_id,
    case when step in ('picked up', 'sending') then cloud_event_id end,
    case when step in ('picked up', 'sending') then op_id end,
    logged_at as "at",
    pod,
    'log_lines:' || row_no,
    case
        when step in ('publishing', 'handling') then error
        when step in ('skipped', 'not mine') then message
    end
from lines
where step is not null and (step <> 'sending' or event_id is not null)
union all
select operations.resource_id, 2, 'refused', 'tried', null, null, null, null, op_id, logged_at, pod, 'log_lines:' || row_no, error
from refusals
join operations using (op_id)
order by resource_id, "at", evidence
