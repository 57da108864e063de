-- title: A manifest of a work is not among what was applied
-- severity: warning
-- means: The work asks for an object that its AppliedManifestWork does not list, though the status is about this version.
-- comes about: Applying that manifest failed while others went through; or the agent ended before it wrote its list.
-- check: the Applied condition of the manifest (dacapo query BUNDLE conditions-of id=…)
-- next: dacapo trace BUNDLE WORK shows each manifest from all sides
-- needs: resources, applied_manifest_works
-- tables: resources, status_events, applied_manifest_works, manifest_works, coverage, kube_objects, collection
-- views: listed, applied, newest
-- follows: apply_failed, delete_stuck, undelivered_delete, status_missing, status_version_behind
with wanted as (
    select
        manifests.*,
        [lower(manifests.kind) || 's', lower(manifests.kind) || 'es', regexp_replace(lower(manifests.kind), 'y$', 'ies'), lower(manifests.kind)]
            as plurals
    from manifests
    where evidence like 'resources:%' and kind is not null and name is not null
)
select
    case
        when bool_or(list_contains(wanted.plurals, listed.plural)) then 'clear'
        -- A plural that follows no rule.
        when bool_or(
            starts_with(listed.plural, left(lower(wanted.kind), greatest(len(wanted.kind) - 2, 2)))
            and abs(len(listed.plural) - len(wanted.kind)) <= 3
        )
            then 'unknown'
        when bool_and(applied.evidence is null) then 'unknown'
        else 'found'
    end as answer,
    null as severity,
    wanted.resource_id as work,
    any_value(newest.consumer) as consumer,
    any_value(applied.cluster) as place,
    any_value(newest."at") as "at",
    wanted.kind || ' ' || coalesce(wanted.namespace || '/', '') || wanted.name || ' is asked for, '
        || case when bool_and(applied.evidence is null) then 'and no AppliedManifestWork is in the bundle' else 'and not listed' end as text,
    any_value(newest.consumer) as shares,
    concat_ws(' ', wanted.evidence, any_value(applied.evidence)) as evidence,
    null as cause
from wanted
join newest on newest.work = wanted.resource_id and newest.deleted_at is null and newest.observed_version = newest.version
left join applied on applied.resource_id = wanted.resource_id
left join listed on listed.resource_id = wanted.resource_id
    and listed.name = wanted.name
    and (listed.namespace is not distinct from wanted.namespace or wanted.namespace is null)
where newest.outcome <> 'in-progress'
group by wanted.resource_id, wanted.place, wanted.kind, wanted.namespace, wanted.name, wanted.evidence
order by wanted.resource_id, wanted.place
