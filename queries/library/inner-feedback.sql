-- title: Feedback of the works inside of a work
-- answers: what a ManifestWork that a work carries reports of its own manifests
-- parameter id =: The resource id, or the whole name of the work; all works without it
-- with id=… instead of: curl …/resource-bundles | jq '….fieldValue.jsonRaw | fromjson | .resourceStatus.manifests[].statusFeedback'
-- tables: resources, status_events
with inner_statuses as (
    select
        work_name,
        name as inner_work,
        evidence,
        unnest(json_extract(value, '$.resourceStatus.manifests[*]')) as manifest
    from feedback
    where ($id = '' or $id in (resource_id, work_name)) and type = 'JsonRaw' and json_valid(value)
),
single as (
    select
        work_name,
        inner_work,
        evidence,
        json_extract(manifest, '$.resourceMeta') as meta,
        unnest(json_extract(manifest, '$.statusFeedback.values[*]')) as item
    from inner_statuses
)
select
    work_name,
    inner_work,
    json_extract_string(meta, '$.kind') as kind,
    json_extract_string(meta, '$.namespace') as namespace,
    json_extract_string(meta, '$.name') as name,
    json_extract_string(item, '$.name') as field,
    fed_back(item) as value,
    evidence
from single
order by work_name, evidence, inner_work, kind, namespace, name, field;
