-- title: The clock of an agent is off
-- severity: warning
-- means: Times of its log and its objects cannot be compared with those of the servers as they stand. A trace allows for it.
-- comes about: The node's clock is not synchronised.
-- check: time synchronisation of the node
-- next: dacapo trace BUNDLE WORK says by how much
-- needs: log_lines
-- nothing: there is no log of an agent
-- views: logs, clocks, hops
with measured as (
    select pod, median(ahead_micros) as ahead, count(*) as works from clocks group by pod
),
-- Clocks can be compared where a request passed servers and the agent, and both wrote down when.
compared as (
    select distinct theirs.place as pod
    from hops as theirs
    join hops as ours
        on ours.resource_id = theirs.resource_id
        and ours.request = theirs.request
        and ours.version = theirs.version
        and ours.life = theirs.life
    where theirs.hop in (3, 5)
      and theirs.evidence like '%log_lines:%'
      and ours.hop in (1, 2, 6, 7)
      and ours.happened_at is not null
)
select
    case when measured.pod is not null then 'found' when compared.pod is null then 'unknown' else 'clear' end as answer,
    null as severity,
    null as work,
    any_value(logs.consumer) as consumer,
    logs.pod as place,
    null::timestamp as "at",
    case
        when measured.pod is null then 'no request passed both a server and ' || logs.pod
        else 'the clock of ' || logs.pod || ' is ' || round(abs(any_value(measured.ahead)) / 1e6, 3) || ' s '
            || case when any_value(measured.ahead) > 0 then 'ahead' else 'behind' end
    end as text,
    null as shares,
    string_agg(logs.evidence, ' ' order by logs.row_no) as evidence,
    null as cause
from logs
left join measured on measured.pod = logs.pod
left join compared on compared.pod = logs.pod
where logs.component = 'agent'
group by logs.pod, measured.pod, compared.pod
order by logs.pod
