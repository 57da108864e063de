-- title: What was applied is not available
-- severity: warning
-- means: The manifests are applied as asked, and the agent does not find all of their objects.
-- comes about: Somebody deleted an object, or it never came to be.
-- check: the Available conditions of the manifests (dacapo query BUNDLE conditions-of id=…)
-- next: dacapo trace BUNDLE WORK shows each manifest from all sides
-- needs: resources
-- tables: resources, status_events
-- views: newest
-- follows: apply_failed, delete_stuck, undelivered_delete
-- What stopped before it was applied is told by the rules of its hops.
with said as (
    select *
    from conditions
    where kind is null and name is null and type = 'Available' and evidence like 'resources:%'
)
select
    case when said.status = 'True' then 'clear' when said.status is null then 'unknown' else 'found' end as answer,
    null as severity,
    newest.work,
    newest.consumer,
    null as place,
    said.changed_at as "at",
    coalesce(
        'Available is ' || said.status || coalesce(' (' || said.reason || ')', '') || coalesce(': ' || said.message, ''),
        'no status of this version is in the bundle'
    ) as text,
    said.reason as shares,
    said.evidence,
    null as cause
from newest
left join said on said.resource_id = newest.work and said.version = newest.version
where newest.request <> 'delete'
  and newest.deleted_at is null
  and newest.outcome not in ('in-progress', 'refused')
  and (newest.stops_at is null or said.status is not null)
order by newest.work
