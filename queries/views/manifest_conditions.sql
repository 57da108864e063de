-- title: Conditions of single manifests, from the database
-- tables: resources
-- shape: resource_id varchar, evidence varchar, kind varchar, namespace varchar, name varchar, type varchar,
--   status varchar, reason varchar, message varchar
with manifests as (
    select
        id as resource_id,
        'resources:' || row_no as evidence,
        unnest(json_extract(status, '$.data.resourceStatus[*]')) as manifest
    from resources
    where json_valid(status)
),
conditions as (
    select resource_id, evidence, manifest, unnest(json_extract(manifest, '$.conditions[*]')) as condition
    from manifests
)
select
    resource_id,
    evidence,
    json_extract_string(manifest, '$.resourceMeta.kind') as kind,
    json_extract_string(manifest, '$.resourceMeta.namespace') as namespace,
    json_extract_string(manifest, '$.resourceMeta.name') as name,
    json_extract_string(condition, '$.type') as type,
    json_extract_string(condition, '$.status') as status,
    json_extract_string(condition, '$.reason') as reason,
    json_extract_string(condition, '$.message') as message
from conditions
