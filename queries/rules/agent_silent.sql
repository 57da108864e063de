-- title: The agent of a consumer is away
-- severity: error
-- means: Nobody serves this consumer: its works wait, and what was published to it over MQTT is lost until the agent comes back.
-- comes about: The agent shut down, was killed or hangs; its log ends and no other goes on.
-- check: the agent's pod, its restarts and the node it runs on
-- next: dacapo works BUNDLE --consumer NAME lists what waits
-- needs: log_lines
-- nothing: there is no log of an agent
-- views: logs, processes, newest, requests, hops
-- explains: published_not_delivered, undelivered_delete, delete_stuck, apply_failed, status_missing, spec_event_unreconciled
-- An agent that writes nothing need not be away: the rules of a trace decide, where a work shows it.
with agents as (
    select
        consumer,
        any_value(cluster) as cluster,
        max(shutdown_at) filter (blind is null) as down_at,
        bool_or(shutdown_at is null and not previous) as one_lives,
        max(last_at) as last_at,
        arg_max(pod, last_at) as pod,
        string_agg(evidence, ' ' order by row_no) as evidence,
        case when bool_and(blind is not null) then any_value(blind) end as blind
    from logs
    where component = 'agent' and consumer is not null
    group by consumer
    union all
    select consumer, null, null, true, null, null, evidence, blind
    from processes
    where component = 'agent' and pod is null
),
-- The log that goes on may not be in the bundle. Whoever reports later than it shut down is back.
back as (
    select agents.consumer
    from agents
    join requests on requests.consumer = agents.consumer
    join hops on hops.resource_id = requests.resource_id and hops.number = requests.number
    where hops.hop in (5, 6, 7)
      and hops.verdict = 'passed'
      and hops.happened_at > agents.down_at + interval 2 seconds
    group by agents.consumer
),
ends as (
    select
        newest.consumer,
        min(newest.words) as words
    from newest
    where newest.cause like '%coverage:%'
      and newest.words like '%died or hangs%'
      and newest.stops_at in (3, 4, 5)
      and newest.outcome = 'stopped'
    group by newest.consumer
)
select
    case
        when agents.down_at is not null and not agents.one_lives and back.consumer is null then 'found'
        when ends.words is not null then 'found'
        when agents.blind is not null or agents.down_at is not null and not agents.one_lives then 'unknown'
        else 'clear'
    end as answer,
    null as severity,
    null as work,
    agents.consumer,
    agents.pod as place,
    coalesce(agents.down_at, agents.last_at) as "at",
    case
        when agents.down_at is not null and not agents.one_lives and back.consumer is null
            then 'the agent of ' || agents.consumer || ' shut down and had not come back when the evidence was taken'
        when agents.down_at is not null and not agents.one_lives and ends.words is null
            then 'the agent of ' || agents.consumer || ' shut down and is back, and no log that goes on is in the bundle'
        else coalesce(ends.words, agents.blind)
    end as text,
    agents.consumer as shares,
    agents.evidence,
    -- It may have come back under another name.
    (
        select string_agg(others.evidence, ' ' order by others.row_no)
        from logs as others
        where others.component = 'agent'
          and others.cluster = agents.cluster
          and others.consumer <> agents.consumer
          and others.first_at >= agents.down_at
    ) as cause
from agents
left join back on back.consumer = agents.consumer
left join ends on ends.consumer = agents.consumer
order by agents.consumer
