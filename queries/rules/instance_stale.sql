-- title: A server replica has no heartbeat
-- severity: warning
-- means: The replica hangs or died without a word. It counts as ready for 45 to 60 seconds after that: statuses that it owns in broadcast
--   mode are handled by nobody, and its clients hear nothing.
-- comes about: It was killed, its node is gone, or it cannot reach the database.
-- check: pod and node of the replica
-- next: dacapo query BUNDLE --sql "from server_instances"
-- needs: server_instances
-- tables: server_instances, coverage
-- views: logs
-- explains: status_event_unhandled, status_not_broadcast, subscriber_absent, status_missing
-- A heartbeat comes every 15 seconds. A replica that is two behind the others is not just late.
with newest_beat as (
    select max(last_heartbeat) as beat from server_instances
),
servers as (
    select
        pod,
        max(shutdown_at) as shutdown_at,
        bool_or(shutdown_at is null and not previous) as one_lives,
        string_agg(evidence, ' ' order by row_no) as evidence
    from logs
    where component = 'server'
    group by pod
)
select
    case
        when server_instances.last_heartbeat is null then 'unknown'
        when servers.shutdown_at is not null and not servers.one_lives then 'clear'
        when newest_beat.beat - server_instances.last_heartbeat > interval 25 seconds
            and newest_beat.beat - server_instances.last_heartbeat < interval 1 day then 'found'
        else 'clear'
    end as answer,
    -- A replica of an hour ago is one that was replaced, and so is one whose end another's beginning meets.
    case
        when newest_beat.beat - server_instances.last_heartbeat > interval 10 minutes
            or not server_instances.ready and servers.pod is null
            or exists (
                select 1 from server_instances as others where others.created_at > server_instances.last_heartbeat - interval 30 seconds
            )
            then 'info'
    end as severity,
    null as work,
    null as consumer,
    server_instances.id as place,
    server_instances.last_heartbeat as "at",
    coalesce(
        'the last heartbeat of ' || server_instances.id || ' is '
            || round(epoch(newest_beat.beat - server_instances.last_heartbeat))::bigint || ' s older than that of the others',
        'no heartbeat of ' || server_instances.id || ' is in the bundle'
    ) as text,
    null as shares,
    'server_instances:' || server_instances.row_no || coalesce(' ' || servers.evidence, '') as evidence,
    null as cause
from server_instances
cross join newest_beat
left join servers on servers.pod = server_instances.id or 'maestro-' || servers.pod = server_instances.id
order by server_instances.id
