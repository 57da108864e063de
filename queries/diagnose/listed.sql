-- title: Objects that AppliedManifestWorks list, with what the cluster holds under their uid and under their name
-- tables: applied_manifest_works, manifest_works, resources, coverage, kube_objects, collection
-- views: applied, held
create or replace temp table listed as
with items as (
    select
        resource_id,
        cluster,
        evidence,
        name as applied_work,
        deleted_at,
        unnest(json_extract(applied_resources, '$[*]')) as item
    from applied
    where json_valid(applied_resources)
),
wanted as (
    select
        resource_id,
        cluster,
        evidence,
        applied_work,
        deleted_at,
        json_extract_string(item, '$.resource') as plural,
        nullif(json_extract_string(item, '$.namespace'), '') as namespace,
        json_extract_string(item, '$.name') as name,
        nullif(json_extract_string(item, '$.uid'), '') as uid
    from items
),
objects as (
    select
        cluster,
        namespace,
        name,
        uid,
        'kube_objects:' || row_no as evidence,
        [lower(kind) || 's', lower(kind) || 'es', regexp_replace(lower(kind), 'y$', 'ies'), lower(kind)] as plurals
    from kube_objects
),
kinds as (
    select
        cluster,
        everywhere,
        namespaces,
        unnest([kind || 's', kind || 'es', regexp_replace(kind, 'y$', 'ies')]) as plural
    from held
)
select
    wanted.*,
    coalesce(bool_or(kinds.everywhere or list_contains(kinds.namespaces, coalesce(wanted.namespace, ''))), false) as would_show,
    by_uid.evidence as found,
    any_value(by_name.evidence) as namesake,
    any_value(by_name.uid) as namesake_uid
from wanted
left join kinds on kinds.cluster is not distinct from wanted.cluster and kinds.plural = wanted.plural
left join objects as by_uid on by_uid.uid = wanted.uid and by_uid.cluster is not distinct from wanted.cluster
left join objects as by_name
    on by_name.name = wanted.name
    and by_name.namespace is not distinct from wanted.namespace
    and by_name.cluster is not distinct from wanted.cluster
    and list_contains(by_name.plurals, wanted.plural)
group by all;
