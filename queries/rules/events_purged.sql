-- title: Events of works are purged
-- severity: info
-- means: The row that would tell when a request was published is gone; that it is not there says nothing.
-- comes about: Servers purge reconciled events after some hours, and whenever one of them starts.
-- check: collect earlier next time
-- next: dacapo query BUNDLE spec-events id=…
-- needs: resources
-- needs whole: events
-- tables: resources, events
select
    case when count(events.id) = 0 then 'found' else 'clear' end as answer,
    null as severity,
    resources.id as work,
    resources.consumer_name as consumer,
    'database' as place,
    resources.created_at as "at",
    'no event of ' || coalesce(resources.work_name, resources.id) || ' is left' as text,
    null as shares,
    'resources:' || resources.row_no as evidence,
    null as cause
from resources
left join events on events.source_id = resources.id
group by resources.id, resources.consumer_name, resources.created_at, resources.work_name, resources.row_no
order by resources.row_no
