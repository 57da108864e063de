-- title: A server or an agent lost its broker
-- severity: warning
-- means: While it lasts, nothing is published or received there. MQTT forgets what an agent does not get; what servers do not get
--   comes again only with a resync.
-- comes about: The broker restarted or is overloaded, the network is cut, or another client uses the same client id.
-- check: the broker's own log at that time; client ids (--client-id) must differ
-- next: dacapo query BUNDLE broker-connections
-- needs: log_lines
-- nothing: there is no log of a server or an agent
-- views: processes, outages
-- explains: spec_event_unreconciled, published_not_delivered, undelivered_delete, status_missing, delete_stuck, publish_errors, subscription_errors
with lost as (
    select
        component,
        pod,
        count(*) as times,
        min(lost_at) as first_at,
        bool_or(back_at is null) as still,
        arg_max(words, lost_at) as words,
        array_to_string(list_slice(list(evidence order by lost_at desc), 1, 50), ' ') as evidence
    from outages
    where kind = 'broker' and component in ('server', 'agent')
    group by component, pod
)
select
    case when lost.times is not null then 'found' when processes.blind is not null then 'unknown' else 'clear' end as answer,
    -- One that shut down will not be back, and need not.
    case when not lost.still or processes.shutdown_at is not null then 'info' end as severity,
    null as work,
    processes.consumer,
    processes.pod as place,
    lost.first_at as "at",
    coalesce(
        processes.component || ' ' || processes.pod || ' lost its broker ' || case when lost.times = 1 then 'once' else lost.times || ' times' end
            || case when not lost.still then ' and came back' when processes.shutdown_at is not null then ' and shut down' else ' and is not back' end
            || ': ' || lost.words,
        processes.blind
    ) as text,
    -- Where all lost it, it is the broker.
    case when bool_and(lost.times is not null or processes.blind is not null) over () then 'all' else processes.component end
        || case when lost.still then ' still' else ' back' end as shares,
    coalesce(lost.evidence, processes.evidence) as evidence,
    null as cause
from processes
left join lost on lost.component = processes.component and lost.pod = processes.pod
order by processes.component, processes.pod, processes.consumer
