-- title: A work changes all the time
-- severity: warning
-- means: Its status is reported, or its spec changed, many times a minute, each time through broker, database and clients.
-- comes about: A feedback value that never rests, two owners that overwrite each other, a controller that fights with the agent, two
--   clients that each want another spec.
-- check: which value changes: dacapo trace BUNDLE WORK --timeline
-- next: dacapo query BUNDLE feedback-of id=…
-- needs: log_lines
-- nothing: there is no log of a server or an agent
-- tables: log_lines
-- views: newest, requests, processes
-- Agents print what they send at verbosity 2. A status every five seconds is more than any object needs.
with sent as (
    select resource_id, 'statuses' as what, logged_at as sent_at, 'log_lines:' || row_no as evidence
    from log_lines
    where component = 'agent'
      and message = 'Sending event'
      and event_type = 'status.update_request'
      and resource_id is not null
      and logged_at is not null
    union all
    select resource_id, 'changes', requested_at, evidence
    from requests
    where request = 'update' and requested_at is not null
),
-- Any minute, not only one of the clock: a loop that runs over the full minute is one.
minutes as (
    select
        *,
        count(*) over a_minute as times,
        first_value(sent_at) over a_minute as first_at,
        first_value(evidence) over a_minute as first_evidence
    from sent
    window a_minute as (partition by resource_id, what order by sent_at range between interval 1 minute preceding and current row)
),
worst as (
    select
        resource_id,
        max(times) as times,
        arg_max(what, times) as what,
        arg_max(first_at, times) as first_at,
        arg_max(concat_ws(' ', first_evidence, evidence), times) as evidence
    from minutes
    group by resource_id
),
told as (
    select distinct consumer from processes where component = 'agent' and blind is null and verbosity >= 2
)
select
    case when worst.times >= 12 then 'found' when told.consumer is null then 'unknown' else 'clear' end as answer,
    -- A delete reports its progress every two seconds until it is done.
    case when newest.request = 'delete' then 'info' end as severity,
    newest.work,
    newest.consumer,
    null as place,
    worst.first_at as "at",
    case
        when worst.times >= 12 then newest.name || ': ' || worst.times || ' ' || worst.what || ' in a minute'
        else 'no log tells what the agent of ' || coalesce(newest.consumer, 'its consumer') || ' sends'
    end as text,
    newest.consumer as shares,
    worst.evidence,
    null as cause
from newest
left join worst on worst.resource_id = newest.work
left join told on told.consumer = newest.consumer
order by newest.work
