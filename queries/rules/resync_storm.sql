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
    select component, coalesce(pod, file) as pod, message, consumer, logged_at, 'log_lines:' || row_no as evidence
    from log_lines
    where logged_at is not null
      and (
          component = 'agent' and message = 'Sending event' and event_type = 'spec.resync_request'
          or component = 'server' and message in ('Resyncing resource status from consumers', 'processing status resync request for consumer')
      )
),
-- Any minute, not only one of the clock.
minutes as (
    select
        component,
        pod,
        count(*) over a_minute as times,
        first_value(logged_at) over a_minute as first_at,
        concat_ws(' ', first_value(evidence) over a_minute, evidence) as evidence
    from asked
    window a_minute as (
        partition by component, pod, message, consumer order by logged_at range between interval 1 minute preceding and current row
    )
),
worst as (
    select
        component,
        pod,
        max(times) as times,
        arg_max(first_at, times) as first_at,
        arg_max(evidence, times) as evidence
    from minutes
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
