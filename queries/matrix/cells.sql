-- title: Each hop of each consumer, pod or source, and of all together
-- parameters: consumer, pod or source
-- views: placed
with sided as (
    select case $1 when 'consumer' then consumer when 'pod' then pod else source end as side, *
    from placed
)

select
    grouping(side) = 1 as is_all,
    side,
    hop,
    count(*) filter (where came_to = 'passed') as passed,
    count(*) filter (where came_to = 'stopped') as stopped,
    count(*) filter (where came_to = 'refused') as refused,
    count(*) filter (where newest and came_to in ('stopped', 'refused')) as stuck,
    count(*) filter (where came_to = 'waiting') as waiting,
    count(*) filter (where came_to = 'not reached') as not_reached,
    count(*) filter (where came_to = 'superseded') as superseded,
    count(*) filter (where came_to = 'n/a') as not_applicable,
    count(*) filter (where came_to = 'unknown') as unknown,
    count(after_micros) filter (where came_to = 'passed') as measured,
    quantile_disc(after_micros, 0.5) filter (where came_to = 'passed') as p50,
    quantile_disc(after_micros, 0.95) filter (where came_to = 'passed') as p95,
    max(after_micros) filter (where came_to = 'passed') as longest,
    min(happened_at) filter (where came_to = 'passed') as first_at,
    max(happened_at) filter (where came_to = 'passed') as last_at
from sided
group by grouping sets ((side, hop), (hop))
order by is_all desc, side nulls last, hop
