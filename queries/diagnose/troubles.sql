-- title: What processes say went wrong, by kind
-- tables: log_lines
-- views: notable, newest, processes
-- An error of a work that went through all the same is one that healed. One that names no work healed where the process went
-- on without another for a minute; but one that cannot subscribe says so once, and must say that it could; and a message
-- that nobody understood is lost.
create or replace temp table troubles as
with lines as (
    select
        *,
        case
            when message in ('failed to decode spec', 'failed to decode status', 'invalid event', 'failed to decode pubsub message')
                or regexp_matches(error, 'failed to (decode|convert) |unmatched (consumer name|original source)')
                then 'decode'
            when message = 'Failed to publish resource' or error like 'Failed to publish resource%' then 'publish'
            when message in ('failed to subscribe after connection', 'failed to receive cloudevents', 'subscribe stream failed')
                then 'subscription'
            when message in (
                'failed to send heartbeat',
                'failed to send event',
                'failed to send event, unregister subscriber',
                'send channel is full, dropping heartbeat'
            )
                then 'subscriber'
            when message not like 'Listener:%'
                and (
                    regexp_matches(
                        error,
                        'SQLSTATE|pq: |bad connection|too many clients|connection refused.*5432|database is|failed to (get|create) status event'
                    )
                    or regexp_matches(message, 'advisory lock|heartbeat for maestro instance|instance lock| from db$')
                )
                then 'database'
        end as kind
    from notable
),
returns as (
    select component, pod, max(logged_at) as last_at
    from notable
    where message in ('subscribed to mqtt broker', 'subscribed to grpc server', 'the cloudevents client is reconnected')
    group by component, pod
),
missed as (
    select count(*) > 0 as some from newest where stops_at = 9
),
judged as (
    select
        lines.*,
        case
            when newest.work is not null then newest.outcome in ('completed', 'in-progress', 'superseded')
            when lines.kind = 'decode' then false
            when lines.kind = 'subscription' then returns.last_at > lines.logged_at
            when lines.kind = 'subscriber' then not missed.some
            else processes.last_at - lines.logged_at > interval 1 minute
        end as healed
    from lines
    cross join missed
    left join newest on newest.work = lines.resource_id
    left join returns on returns.component = lines.component and returns.pod = lines.pod
    left join processes on processes.component = lines.component and processes.pod = lines.pod
    where lines.kind is not null
)
select
    kind,
    component,
    pod,
    count(*) as times,
    min(logged_at) as first_at,
    arg_max(coalesce(error, message), row_no) as words,
    bool_and(coalesce(healed, false)) as healed,
    array_to_string(list_slice(list(evidence order by row_no desc), 1, 50), ' ') as evidence
from judged
group by kind, component, pod;
