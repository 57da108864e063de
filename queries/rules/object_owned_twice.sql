-- title: One object belongs to several works
-- severity: warning
-- means: What is applied last stays; each of the works reports that all is as it asks. A delete of one of them leaves the object.
-- comes about: Two works carry a manifest of the same kind, namespace and name.
-- check: the manifests of both works; the object holds what the later one asks for
-- next: dacapo trace BUNDLE KIND/NAMESPACE/NAME shows all works that own it
-- needs: kube_objects
-- tables: kube_objects
-- views: newest
-- The name of an AppliedManifestWork is a hub hash and the work's: two hashes of one work are still one.
with owned as (
    select
        *,
        list_distinct(list_transform(string_split(applied_works, ' '), lambda work: regexp_replace(work, '^[0-9a-f]{64}-', ''))) as works
    from kube_objects
    where applied_works is not null and applied_works <> ''
),
owners as (
    select *, unnest(works) as owner from owned
)
select
    case when len(owners.works) > 1 then 'found' else 'clear' end as answer,
    null as severity,
    owners.owner as work,
    newest.consumer,
    owners.cluster as place,
    owners.created_at as "at",
    owners.kind || ' ' || coalesce(owners.namespace || '/', '') || owners.name || ' is owned by ' || len(owners.works) || ' works' as text,
    -- Two works that ask for the same have more than one object in common.
    array_to_string(list_sort(owners.works), ' ') as shares,
    'kube_objects:' || owners.row_no as evidence,
    null as cause
from owners
left join newest on newest.work = owners.owner
order by owners.row_no, owners.owner
