-- title: The same works are asked for again and again
-- severity: warning
-- means: Somebody asks for everything it may know, several times a minute: load on broker, servers and database, and no progress.
-- comes about: A connection flaps, two clients use the same client id, or an agent restarts over and over.
-- check: connections and restarts of the pod
-- next: dacapo query BUNDLE broker-connections
-- needs: log_lines
-- nothing: there is no log of a server or an agent
-- tables: log_lines
-- views: processes
-- follows: broker_disconnects
-- An agent asks with one message, and prints it at verbosity 2. A server asks for all consumers with one line, or for each with one.
with asked as (
    select
        component,
        coalesce(pod, file) as pod,
        time_bucket(interval 1 minute, logged_at) as minute,
        count(*) as times,
        min(logged_at) as first_at,
        array_to_string(list_slice(list('log_lines:' || row_no order by row_no), 1, 10), ' ') as evidence
    from log_lines
    where logged_at is not null
      and (
          component = 'agent' and message = 'Sending event' and event_type = 'spec.resync_request'
          or component = 'server' and message in ('Resyncing resource status from consumers', 'processing status resync request for consumer')
      )
    group by component, coalesce(pod, file), minute, message, consumer
),
worst as (
    select component, pod, max(times) as times, arg_max(first_at, times) as first_at, arg_max(evidence, times) as evidence
    from asked
    group by component, pod
)
select
    case
        when worst.times >= 5 then 'found'
        when processes.blind is not null or processes.component = 'agent' and processes.verbosity < 2 then 'unknown'
        else 'clear'
    end as answer,
    null as severity,
    null as work,
    processes.consumer,
    processes.pod as place,
    worst.first_at as "at",
    case
        when worst.times >= 5
            then processes.component || ' ' || processes.pod || ' asked for a resync ' || worst.times || ' times in a minute'
        else coalesce(processes.blind, 'agent ' || processes.pod || ' prints too little')
    end as text,
    processes.component as shares,
    coalesce(worst.evidence, processes.evidence) as evidence,
    null as cause
from processes
left join worst on worst.component = processes.component and worst.pod = processes.pod
order by processes.component, processes.pod, processes.consumer
