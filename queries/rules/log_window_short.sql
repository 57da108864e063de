-- title: A log begins after requests that it should tell of
-- severity: info
-- means: What happened before its first line cannot be seen in it.
-- comes about: The log was rotated, taken with --since, or the process started later.
-- check: the log of the container before (kubectl logs --previous), or a longer export
-- next: dacapo works BUNDLE --outcome unknown
-- needs: log_lines
-- nothing: there is no log of a server or an agent
-- views: logs, newest
with first_logs as (
    select
        component,
        case when component = 'agent' then consumer end as consumer,
        min(first_at) as first_at,
        string_agg(evidence, ' ' order by row_no) as evidence
    from logs
    where first_at is not null
    group by all
)
select
    case when count(newest.work) > 0 then 'found' else 'clear' end as answer,
    null as severity,
    null as work,
    first_logs.consumer,
    null as place,
    first_logs.first_at as "at",
    case
        when first_logs.component = 'agent' then 'the log of the agent of ' || coalesce(first_logs.consumer, 'an unknown consumer')
        else 'the logs of the servers'
    end || ' begin after ' || count(newest.work) || ' of the newest requests' as text,
    first_logs.component as shares,
    first_logs.evidence,
    null as cause
from first_logs
left join newest
    on newest.requested_at < first_logs.first_at
    and (first_logs.component = 'server' or newest.consumer = first_logs.consumer)
group by first_logs.component, first_logs.consumer, first_logs.first_at, first_logs.evidence
order by first_logs.component, first_logs.consumer
