-- title: An agent runs under a name that is no consumer's
-- severity: error
-- means: The agent is alive and connected, and listens for works of a consumer that does not exist. The works of the right one wait.
-- comes about: --consumer-name of the agent differs from the name the consumer was registered with.
-- check: --consumer-name of the agent against the consumers table
-- next: dacapo works BUNDLE --stopped
-- needs: log_lines
-- needs whole: consumers
-- nothing: there is no log of an agent
-- tables: consumers
-- views: logs
-- explains: agent_silent, published_not_delivered, undelivered_delete, spec_event_unreconciled
select
    case when logs.consumer is null then 'unknown' when consumers.name is null then 'found' else 'clear' end as answer,
    null as severity,
    null as work,
    logs.consumer,
    string_agg(distinct logs.pod, ', ' order by logs.pod) as place,
    min(logs.first_at) as "at",
    coalesce('an agent serves ' || logs.consumer || ', which is not in the consumers table', 'its log does not say whom an agent serves') as text,
    logs.consumer as shares,
    string_agg(logs.evidence, ' ' order by logs.row_no) as evidence,
    null as cause
from logs
left join consumers on consumers.name = logs.consumer
where logs.component = 'agent' and not logs.previous
group by logs.consumer, consumers.name
order by logs.consumer
