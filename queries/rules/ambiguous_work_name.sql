-- title: Several works have the same name
-- severity: info
-- means: A name alone does not tell which work is meant; a resource id does.
-- comes about: Names count for one source and one consumer; others may use them too.
-- check: source and consumer of each
-- next: dacapo trace BUNDLE CONSUMER/WORK
-- views: requests
with named as (
    select
        *,
        count(*) over (partition by work_name) as works
    from requests
    where newest
)
select
    case when work_name is null then 'unknown' when works > 1 then 'found' else 'clear' end as answer,
    null as severity,
    resource_id as work,
    consumer,
    null as place,
    requested_at as "at",
    case
        when work_name is null then 'the name of ' || resource_id || ' is not in the bundle'
        else works || ' works are called ' || work_name
    end as text,
    null as shares,
    evidence,
    null as cause
from named
order by work_name, resource_id
