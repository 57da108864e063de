-- title: Hops 3 and 4: what the clusters hold of the work, or still hold
-- tables: resources, status_events, log_lines, coverage, applied_manifest_works, manifest_works, kube_objects
-- only with: applied_manifest_works, manifest_works, kube_objects
-- views: asked, applied_works, manifests
with own as materialized (
    select * from manifests semi join asked using (resource_id)
),
works as materialized (
    select * from applied_works semi join asked using (resource_id)
),
asked_for as (
    select distinct resource_id, kind, namespace, name from own where seen_in = 'payload'
),
held as (
    select resource_id, kind, namespace, name, min(created_at) as created_at, min(evidence) as evidence
    from own
    where seen_in = 'object'
    group by all
),
listed as (
    select distinct resource_id, kind, namespace, name from own where seen_in = 'applied_work'
),
wanted as (
    select * from asked_for
    union all
    select *
    from listed
    where not exists (select 1 from asked_for where asked_for.resource_id = listed.resource_id)
),
found as (
    select
        wanted.resource_id,
        count(*) as wanted,
        count(held.name) as held,
        max(held.created_at) as created_at,
        min(held.evidence) as evidence
    from wanted
    left join held
        on wanted.resource_id = held.resource_id
        and wanted.kind = held.kind and wanted.name = held.name
        and wanted.namespace is not distinct from held.namespace
    group by wanted.resource_id
)
select
    resource_id,
    3 as hop,
    'applied work' as step,
    'passed' as sign,
    null as request,
    1::bigint as version,
    null as event_id,
    null as cloud_event_id,
    null as op_id,
    created_at as "at",
    cluster as place,
    'applied_manifest_works:' || row_no as evidence,
    name as about
from works
union all
select resource_id, 4, 'objects', 'passed', null, 1, null, null, null, created_at, 'cluster', evidence, held || ' of ' || wanted || ' manifests are there'
from found
where wanted > 0 and held = wanted
union all
select
    resource_id,
    4,
    'held by finalizer',
    'failed',
    'delete',
    null,
    null,
    null,
    null,
    deleted_at,
    'cluster',
    evidence,
    concat_ws(' ', kind, concat_ws('/', namespace, name)) || ' carries finalizer '
        || array_to_string(json_extract_string(finalizers, '$[*]'), ', ') || '; the agent waits for it to go'
from own
where seen_in = 'object' and deleted_at is not null and json_array_length(finalizers) > 0
union all
select
    resource_id,
    4,
    'deleting',
    'tried',
    'delete',
    null,
    null,
    null,
    null,
    deleted_at,
    'cluster',
    'applied_manifest_works:' || row_no,
    'the AppliedManifestWork is being deleted since ' || strftime(deleted_at, '%H:%M:%S') || ' and still lists '
        || array_to_string(
            list_transform(
                json_extract(applied_resources, '$[*]'),
                lambda resource: concat_ws(
                    ' ',
                    json_extract_string(resource, '$.resource'),
                    concat_ws('/', nullif(json_extract_string(resource, '$.namespace'), ''), json_extract_string(resource, '$.name'))
                )
            ),
            ', '
        )
from works
where deleted_at is not null and json_array_length(applied_resources) > 0
order by resource_id, "at", evidence
