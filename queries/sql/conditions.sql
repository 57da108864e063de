-- title: Conditions: one row for each condition of a work and of each of its manifests, as stored
-- answers: what the agent last said of a work and of its manifests
-- tables: resources, status_events
-- column resource_id: Resource id.
-- column work_name: The name the client gave the work.
-- column version: The version of the spec that the status is about.
-- column kind: Kind of the manifest; none where the condition is that of the whole work.
-- column namespace: Namespace of the manifest.
-- column name: Name of the manifest.
-- column type: Type of the condition.
-- column status: `True`, `False` or `Unknown`.
-- column reason: Reason.
-- column message: Message.
-- column observed_generation: The generation that was looked at.
-- column changed_at: When it took this status.
-- column evidence: The row it stands in.
create view conditions as
with owners as (
    select
        resource_id,
        work_name,
        evidence,
        try_cast(json_extract_string(said, '$.resourceversion') as bigint) as version,
        null::json as meta,
        json_extract(said, '$.data.conditions[*]') as items
    from stored
    union all
    select
        resource_id,
        work_name,
        evidence,
        version,
        json_extract(manifest, '$.resourceMeta'),
        json_extract(manifest, '$.conditions[*]')
    from (
        select
            resource_id,
            work_name,
            evidence,
            try_cast(json_extract_string(said, '$.resourceversion') as bigint) as version,
            unnest(json_extract(said, '$.data.resourceStatus[*]')) as manifest
        from stored
    )
),
single as (
    select resource_id, work_name, evidence, version, meta, unnest(items) as condition from owners
)
select
    resource_id,
    work_name,
    version,
    nullif(json_extract_string(meta, '$.kind'), '') as kind,
    nullif(json_extract_string(meta, '$.namespace'), '') as namespace,
    nullif(json_extract_string(meta, '$.name'), '') as name,
    json_extract_string(condition, '$.type') as type,
    json_extract_string(condition, '$.status') as status,
    json_extract_string(condition, '$.reason') as reason,
    json_extract_string(condition, '$.message') as message,
    try_cast(json_extract_string(condition, '$.observedGeneration') as bigint) as observed_generation,
    try_cast(json_extract_string(condition, '$.lastTransitionTime') as timestamp) as changed_at,
    evidence
from single;
