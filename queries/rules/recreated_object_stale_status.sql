-- title: An object was made anew, and what is told of it is about the old one
-- severity: warning
-- means: Somebody deleted the object and made it again; the AppliedManifestWork still names the uid of the one before, and status
--   and feedback may be that one's.
-- comes about: An operator or a person replaced the object after the agent had applied it.
-- check: creation time and owner references of the object
-- next: dacapo trace BUNDLE KIND/NAMESPACE/NAME
-- needs: applied_manifest_works, kube_objects
-- tables: resources, applied_manifest_works, manifest_works, coverage, kube_objects, collection
-- views: listed, newest
-- follows: apply_failed, delete_stuck
select
    case
        when listed.found is not null then 'clear'
        when listed.uid is null or listed.namesake_uid is null then 'unknown'
        else 'found'
    end as answer,
    null as severity,
    listed.resource_id as work,
    newest.consumer,
    listed.cluster as place,
    null::timestamp as "at",
    case
        when listed.uid is null or listed.namesake_uid is null then 'no object of that name is in the bundle'
        else listed.plural || ' ' || coalesce(listed.namespace || '/', '') || listed.name || ' has another uid than the one that was applied'
    end as text,
    listed.cluster as shares,
    listed.evidence || coalesce(' ' || listed.namesake, '') as evidence,
    null as cause
from listed
left join newest on newest.work = listed.resource_id
where listed.deleted_at is null
order by listed.evidence, listed.plural, listed.namespace, listed.name
