-- title: Feedback: one row for each value that the agent reports of a manifest
-- answers: what an object on the management cluster says of itself, as far as the work asks for it
-- tables: resources, status_events
-- column resource_id: Resource id.
-- column work_name: The name the client gave the work.
-- column kind: Kind of the manifest.
-- column namespace: Namespace of the manifest.
-- column name: Name of the manifest.
-- column field: The name that the feedback rule gives the value.
-- column type: `String`, `Integer`, `Boolean` or `JsonRaw`.
-- column value: The value as text; JSON where the type is `JsonRaw`.
-- column evidence: The row it stands in.
create view feedback as
with owners as (
    select resource_id, work_name, evidence, unnest(json_extract(said, '$.data.resourceStatus[*]')) as manifest
    from stored
),
single as (
    select
        resource_id,
        work_name,
        evidence,
        json_extract(manifest, '$.resourceMeta') as meta,
        unnest(json_extract(manifest, '$.statusFeedback.values[*]')) as item
    from owners
)
select
    resource_id,
    work_name,
    nullif(json_extract_string(meta, '$.kind'), '') as kind,
    nullif(json_extract_string(meta, '$.namespace'), '') as namespace,
    nullif(json_extract_string(meta, '$.name'), '') as name,
    json_extract_string(item, '$.name') as field,
    json_extract_string(item, '$.fieldValue.type') as type,
    fed_back(item) as value,
    evidence
from single;
