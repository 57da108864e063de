-- title: A work is marked as deleted, and its cluster still holds it
-- severity: warning
-- means: The delete was asked for, and nobody in the cluster has begun with it.
-- comes about: The delete did not reach the agent.
-- check: deletionTimestamp of the AppliedManifestWork: none means that the agent does not know
-- next: dacapo trace BUNDLE WORK --request delete
-- needs: resources, applied_manifest_works
-- tables: resources, applied_manifest_works, manifest_works, coverage, collection
-- views: applied, newest, looked_into
-- follows: undelivered_delete, delete_stuck
select
    case
        when applied.evidence is null and looked_into.consumer is null then 'unknown'
        when applied.evidence is not null and applied.deleted_at is null and newest.outcome <> 'in-progress' then 'found'
        else 'clear'
    end as answer,
    null as severity,
    resources.id as work,
    resources.consumer_name as consumer,
    applied.cluster as place,
    resources.deleted_at as "at",
    coalesce(resources.work_name, resources.id) || ' is marked as deleted, '
        || coalesce(applied.name || ' is not', 'and what its cluster holds is not in the bundle') as text,
    resources.consumer_name as shares,
    concat_ws(' ', 'resources:' || resources.row_no, applied.evidence) as evidence,
    newest.cause
from resources
join newest on newest.work = resources.id
left join applied on applied.resource_id = resources.id
left join looked_into on looked_into.consumer = resources.consumer_name
where resources.deleted_at is not null
order by resources.id, applied.evidence
