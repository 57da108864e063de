-- title: Each consumer, pod or source, what needs somebody first, and all together
-- parameters: consumer, pod or source
-- views: placed
with sided as (
    select case $1 when 'consumer' then consumer when 'pod' then pod else source end as side, *
    from placed
),

-- One request may have been in several places.
everything as (
    select
        grouping(side) = 1 as is_all,
        side,
        resource_id,
        number,
        any_value(newest) as newest,
        any_value(request) as request,
        any_value(outcome) as outcome,
        any_value(whole_micros) as whole_micros,
        bool_or(came_to in ('stopped', 'refused')) as stops_here,
        grouping(side) = 1 or $1 <> 'pod' or bool_or(came_to = 'unknown') as unsure_here
    from sided
    group by grouping sets ((side, resource_id, number), (resource_id, number))
)

select
    is_all,
    side,
    count(distinct resource_id) as works,
    count(*) filter (where request = 'create') as creates,
    count(*) filter (where request = 'update') as updates,
    count(*) filter (where request = 'delete') as deletes,
    count(*) filter (where newest and stops_here) as stuck,
    count(*) filter (where newest and unsure_here and outcome = 'unknown') as untold,
    count(*) filter (where outcome = 'completed') as completed,
    count(*) filter (where outcome = 'stopped') as stopped,
    count(*) filter (where outcome = 'refused') as refused,
    count(*) filter (where outcome = 'superseded') as superseded,
    count(*) filter (where outcome = 'in-progress') as in_progress,
    count(*) filter (where outcome = 'unknown') as unknown,
    count(whole_micros) as measured,
    quantile_disc(whole_micros, 0.5) as p50,
    quantile_disc(whole_micros, 0.95) as p95,
    max(whole_micros) as longest
from everything
group by is_all, side
order by is_all desc, stuck desc, untold desc, stopped desc, in_progress desc, side nulls last
