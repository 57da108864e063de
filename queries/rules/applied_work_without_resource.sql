-- title: A cluster has an AppliedManifestWork of a work that the database does not know
-- severity: warning
-- means: Objects are in the cluster that nobody asks for any more; no delete is on its way to them.
-- comes about: Rows were removed by hand or by a restore while the agent was away; the agent was given another broker address.
-- check: evictionStartTime of the AppliedManifestWork: the agent removes it, and its objects, after a grace period
-- next: dacapo trace BUNDLE APPLIED-WORK-NAME
-- needs: applied_manifest_works
-- needs whole: resources
-- tables: resources, events, status_events, server_instances, applied_manifest_works, manifest_works, coverage
-- views: applied, newest
-- follows: delete_stuck, undelivered_delete
-- A work that was made after the tables were read has no row in them yet. Servers write a heartbeat every 15 seconds, so the
-- last time that a table knows is about when it was read.
with read as (
    select greatest(
        (select max(greatest(created_at, updated_at)) from resources),
        (select max(greatest(created_at, reconciled_date)) from events),
        (select max(created_at) from status_events),
        (select max(last_heartbeat) from server_instances)
    ) as last_at
)
select
    case
        when exists (select 1 from resources where resources.id = applied.resource_id) then 'clear'
        when applied.deleted_at is not null then 'clear'
        when not applied.is_told or applied.created_at > read.last_at then 'unknown'
        else 'found'
    end as answer,
    null as severity,
    applied.resource_id as work,
    newest.consumer,
    applied.cluster as place,
    coalesce(applied.eviction_started_at, applied.created_at) as "at",
    case
        when not applied.is_told then 'it is named after a work, and which resource that is cannot be told'
        when applied.created_at > read.last_at then applied.name || ' is younger than all that the database tells'
        when applied.eviction_started_at is not null
            then applied.name || ' waits for eviction since ' || strftime(applied.eviction_started_at, '%H:%M:%S')
        else applied.name || ' has no row in the database'
    end as text,
    applied.cluster as shares,
    applied.evidence,
    null as cause
from applied
cross join read
left join newest on newest.work = applied.resource_id
order by applied.evidence
