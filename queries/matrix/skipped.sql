-- title: How many lines leave something to another replica or alone, of each consumer, pod or source, and of all together
-- parameters: consumer, pod or source
-- views: skips
with sided as (
    select case $1 when 'consumer' then consumer when 'pod' then pod else source end as side, *
    from skips
)

select grouping(side) = 1 as is_all, side, hop, sum(lines)::bigint as lines
from sided
group by grouping sets ((side, hop), (hop))
order by is_all desc, side nulls last, hop
