-- title: Stored requests wait to be published
-- severity: warning
-- means: Events are stored faster than they are published, or not published at all.
-- comes about: The servers are without broker or overloaded, or no replica listens.
-- check: age and number of events whose reconciled_date is null
-- next: dacapo query BUNDLE --sql "from events where reconciled_date is null order by created_at"
-- needs: events
-- tables: events
-- views: bundle, newest
-- follows: spec_event_unreconciled, undelivered_delete
with waits as (
    select
        events.*,
        coalesce(newest.name, events.source_id) as name,
        newest.consumer,
        epoch(coalesce(events.reconciled_date, bundle.taken_at) - events.created_at) as seconds
    from events
    cross join bundle
    left join newest on newest.work = events.source_id
    where events.created_at is not null
)
select
    case when seconds > 10 then 'found' else 'clear' end as answer,
    case when reconciled_date is not null then 'info' end as severity,
    source_id as work,
    consumer,
    'database' as place,
    created_at as "at",
    case
        when reconciled_date is null then 'the event of ' || name || ' has been waiting since ' || strftime(created_at, '%H:%M:%S')
        else 'the event of ' || name || ' waited for ' || round(seconds)::bigint || ' s'
    end as text,
    case when reconciled_date is null then 'waiting' else 'waited' end as shares,
    'events:' || row_no as evidence,
    'events:' || row_no as cause
from waits
order by created_at, row_no
