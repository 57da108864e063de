-- title: An object that was applied is not in its cluster
-- severity: warning
-- means: The agent wrote down that it applied the object; the cluster does not have it.
-- comes about: Somebody deleted it after it was applied; the agent puts it back at its next turn.
-- check: Kubernetes Events and the audit log for who deleted it
-- next: dacapo trace BUNDLE WORK shows each manifest from all sides
-- needs: applied_manifest_works, kube_objects
-- tables: resources, applied_manifest_works, manifest_works, coverage, kube_objects, collection
-- views: listed, newest
-- follows: apply_failed, delete_stuck
select
    case
        when listed.found is not null or listed.namesake is not null then 'clear'
        when listed.uid is null or not listed.would_show then 'unknown'
        else 'found'
    end as answer,
    null as severity,
    listed.resource_id as work,
    newest.consumer,
    listed.cluster as place,
    null::timestamp as "at",
    case
        when listed.uid is null or not listed.would_show
            then 'no list is in the bundle that would show ' || listed.plural || ' '
                || coalesce(listed.namespace || '/', '') || listed.name
        else listed.plural || ' ' || coalesce(listed.namespace || '/', '') || listed.name || ' is listed and not there'
    end as text,
    listed.cluster as shares,
    listed.evidence,
    null as cause
from listed
left join newest on newest.work = listed.resource_id
where listed.deleted_at is null
order by listed.evidence, listed.plural, listed.namespace, listed.name
