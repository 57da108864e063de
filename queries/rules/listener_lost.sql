-- title: A server did not hear what the database notifies
-- severity: warning
-- means: For six or seven seconds at least the replica learns of no new event. What was stored in that time waits for the next sweep
--   (hours) or a restart, while later requests are fine.
-- comes about: The database closed the connection: a restart, a failover, an administrator, a proxy.
-- check: events of that time whose reconciled_date is null
-- next: dacapo query BUNDLE known-errors kind=listener
-- needs: log_lines
-- nothing: there is no log of a server
-- views: processes, outages
-- explains: spec_event_unreconciled, status_not_broadcast, undelivered_delete
with lost as (
    select
        pod,
        count(*) as times,
        min(lost_at) as first_at,
        bool_or(back_at is null) as still,
        arg_max(words, lost_at) as words,
        array_to_string(list_slice(list(evidence order by lost_at desc), 1, 50), ' ') as evidence
    from outages
    where kind = 'listener' and component = 'server'
    group by pod
)
select
    case when lost.times is not null then 'found' when processes.blind is not null then 'unknown' else 'clear' end as answer,
    case when not lost.still or processes.shutdown_at is not null then 'info' end as severity,
    null as work,
    null as consumer,
    processes.pod as place,
    lost.first_at as "at",
    coalesce(
        processes.pod || ' did not listen from ' || strftime(lost.first_at, '%H:%M:%S.%f')
            || case when lost.still then ' and does not yet' else '' end || ': ' || lost.words,
        processes.blind
    ) as text,
    lost.words as shares,
    coalesce(lost.evidence, processes.evidence) as evidence,
    null as cause
from processes
left join lost on lost.pod = processes.pod
where processes.component = 'server'
order by processes.pod
