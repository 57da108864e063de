-- title: A server or an agent was started again
-- severity: info
-- means: What it had in memory is gone: an agent asks for all its works again, a server purges reconciled events.
-- comes about: A deployment, a crash, an eviction from its node.
-- check: the log of the container before (kubectl logs --previous), and the reason of its end
-- next: dacapo inspect BUNDLE lists the logs
-- needs: log_lines
-- nothing: there is no log of a server or an agent
-- views: logs
-- explains: events_purged
select
    case when bool_or(previous) or count(*) filter (shutdown_at is not null) > 0 and bool_or(shutdown_at is null) then 'found' else 'clear' end
        as answer,
    null as severity,
    null as work,
    any_value(consumer) as consumer,
    pod as place,
    case when bool_and(previous) then max(last_at) else max(first_at) end as "at",
    -- Where only the log before it is there, it tells when that ended.
    component || ' ' || pod || ' was started again '
        || case
            when bool_and(previous) then 'after ' || strftime(max(last_at), '%H:%M:%S.%f')
            else 'at ' || strftime(max(first_at), '%H:%M:%S.%f')
        end as text,
    component as shares,
    string_agg(evidence, ' ' order by row_no) as evidence,
    null as cause
from logs
group by component, pod
order by component, pod
