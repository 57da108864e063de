-- title: Each hop of each request, whose it is, where it was, and what became of the request there
-- A request is counted once at each hop. What is not passed after a stop is not another stop.
create or replace temp table placed as
with spans as (
    select resource_id, number, datediff('microsecond', min(happened_at), max(happened_at)) as whole_micros
    from hops
    where verdict = 'passed' and happened_at is not null
    group by resource_id, number
),

waits as (
    select resource_id, number, min(hop) as hop
    from hops
    where verdict = 'missing'
    group by resource_id, number
)

select
    hops.resource_id,
    hops.number,
    hops.newest,
    hops.hop,
    hops.request,
    requests.consumer,
    requests.source,
    hops.place as pod,
    requests.outcome,
    case
        when hops.verdict = 'passed' then 'passed'
        when requests.stops_at = hops.hop and requests.outcome = 'refused' then 'refused'
        when requests.stops_at = hops.hop then 'stopped'
        when hops.verdict = 'unknown' then 'unknown'
        when hops.verdict = 'n/a' and requests.outcome = 'superseded' then 'superseded'
        when hops.verdict = 'n/a' then 'n/a'
        when requests.outcome = 'in-progress' and waits.hop = hops.hop then 'waiting'
        else 'not reached'
    end as came_to,
    hops.after_micros,
    hops.happened_at,
    case when requests.outcome = 'completed' then spans.whole_micros end as whole_micros
from hops
inner join requests on requests.resource_id = hops.resource_id and requests.number = hops.number
left join spans on spans.resource_id = hops.resource_id and spans.number = hops.number
left join waits on waits.resource_id = hops.resource_id and waits.number = hops.number;
