-- title: A work is stored, and its cluster has no AppliedManifestWork of it
-- severity: warning
-- means: The agent never had the work, or lost what it knew of it.
-- comes about: The request was not delivered; or the AppliedManifestWork was deleted by hand.
-- check: does an AppliedManifestWork with another hub hash exist? its name ends in the resource id
-- next: dacapo trace BUNDLE WORK
-- needs: resources, applied_manifest_works
-- tables: resources, applied_manifest_works, manifest_works, coverage, collection
-- views: newest, applied, looked_into
-- follows: request_refused, spec_event_unreconciled, published_not_delivered, apply_failed, undelivered_delete, delete_stuck, status_missing
select
    case
        when exists (select 1 from applied where applied.resource_id = resources.id) then 'clear'
        when looked_into.consumer is null then 'unknown'
        else 'found'
    end as answer,
    null as severity,
    resources.id as work,
    resources.consumer_name as consumer,
    null as place,
    resources.created_at as "at",
    case
        when looked_into.consumer is null
            then 'which cluster belongs to ' || coalesce(resources.consumer_name, 'its consumer') || ' is not known, or it was not looked into'
        else 'no AppliedManifestWork is there for ' || coalesce(resources.work_name, resources.id)
    end as text,
    resources.consumer_name as shares,
    'resources:' || resources.row_no as evidence,
    newest.cause
from resources
join newest on newest.work = resources.id
left join looked_into on looked_into.consumer = resources.consumer_name
where resources.deleted_at is null and newest.outcome <> 'in-progress'
order by resources.id
