-- title: Manifests of works: as asked for, as the agent lists them, as the cluster holds them
-- tables: resources, status_events, log_lines, coverage, applied_manifest_works, kube_objects, manifest_works
-- views: specs, applied_works
-- shape: resource_id varchar, seen_in varchar, evidence varchar, kind varchar, namespace varchar, name varchar,
--   created_at timestamp, deleted_at timestamp, finalizers json
with works as materialized (
    select * from applied_works
),
asked as materialized (
    select resource_id, evidence, unnest(json_extract(manifests, '$[*]')) as manifest from specs
),
objects as materialized (
    select
        cluster,
        kind,
        namespace,
        name,
        uid,
        created_at,
        deleted_at,
        finalizers,
        applied_works,
        'kube_objects:' || row_no as evidence
    from kube_objects
    union all
    select
        cluster,
        'ManifestWork',
        namespace,
        name,
        uid,
        created_at,
        deleted_at,
        case when json_valid(object) then json_extract(object, '$.metadata.finalizers') end,
        applied_works,
        'manifest_works:' || row_no
    from manifest_works
),
listed as (
    select
        resource_id,
        'applied_manifest_works:' || row_no as evidence,
        name as applied_work,
        unnest(json_extract(applied_resources, '$[*]')) as resource
    from works
    where json_valid(applied_resources)
),
owners as (
    select distinct evidence, unnest(string_split(applied_works, ' ')) as applied_work
    from objects
    where applied_works is not null
),
owned as (
    select works.resource_id, objects.*
    from owners
    join objects using (evidence)
    join works on works.name = owners.applied_work and works.cluster is not distinct from objects.cluster
),
-- An agent that dies right after it applied leaves an object without owner reference: it is the work's if it
-- has the manifest's name and was made after the AppliedManifestWork, whose time is in whole seconds too.
made as (
    select asked.resource_id, objects.*
    from asked
    join works on works.resource_id = asked.resource_id
    join objects
        on objects.cluster is not distinct from works.cluster
        and objects.kind = json_extract_string(asked.manifest, '$.kind')
        and objects.namespace is not distinct from json_extract_string(asked.manifest, '$.metadata.namespace')
        and objects.name = json_extract_string(asked.manifest, '$.metadata.name')
        and objects.created_at >= works.created_at
        and objects.applied_works is null
),
held as (
    select * from owned
    union all
    select * from made
),
-- The agent's list has plurals where manifests have kinds; the object behind the uid knows its kind.
listed_kinds as (
    select
        listed.*,
        (
            select any_value(kind)
            from objects
            where uid = json_extract_string(listed.resource, '$.uid')
        ) as kind
    from listed
)
select
    resource_id,
    'payload' as seen_in,
    evidence,
    json_extract_string(manifest, '$.kind') as kind,
    json_extract_string(manifest, '$.metadata.namespace') as namespace,
    json_extract_string(manifest, '$.metadata.name') as name,
    null::timestamp as created_at,
    null::timestamp as deleted_at,
    null as finalizers
from asked
union all
select
    resource_id,
    'applied_work',
    evidence,
    coalesce(kind, json_extract_string(resource, '$.resource')),
    nullif(json_extract_string(resource, '$.namespace'), ''),
    json_extract_string(resource, '$.name'),
    null,
    null,
    null
from listed_kinds
union all
select resource_id, 'object', evidence, kind, namespace, name, created_at, deleted_at, finalizers
from held
