-- title: Works: one row for each row of resources, with its status taken apart
-- answers: which works there are, for whom, at which version, and what the agent last said of them
-- tables: resources, applied_manifest_works
-- column resource_id: Resource id.
-- column work_name: The name the client gave the work.
-- column consumer: The management cluster it is for.
-- column source: The client's source id.
-- column version: The version of the spec that is wanted.
-- column observed_version: The version that the last stored status is about; none before the first.
-- column applied: Condition `Applied` of that status: `True`, `False` or `Unknown`.
-- column available: Condition `Available` of that status.
-- column created_at: When the row was written first.
-- column updated_at: When spec or status was written last.
-- column deleted_at: When a delete was asked for.
-- column status_at: When the agent sent the stored status.
-- column manifests: How many manifests it has.
-- column applied_works: AppliedManifestWorks that are named after the resource, in all clusters, with spaces between them.
-- column op_id: The operation id of the last create or update.
-- column evidence: The row, as `dacapo show` takes it.
create view works as
with taken as (
    select
        *,
        case when json_valid(payload) then payload end as spec,
        case when json_valid(status) then status end as said
    from resources
),
held as (
    select manifest_work_name, string_agg(name, ' ' order by name) as names
    from applied_manifest_works
    group by manifest_work_name
)
select
    id as resource_id,
    work_name,
    consumer_name as consumer,
    source,
    version,
    try_cast(json_extract_string(said, '$.resourceversion') as bigint) as observed_version,
    list_filter(
        json_extract(said, '$.data.conditions[*]'), lambda c: json_extract_string(c, '$.type') = 'Applied'
    )[1]->>'$.status' as applied,
    list_filter(
        json_extract(said, '$.data.conditions[*]'), lambda c: json_extract_string(c, '$.type') = 'Available'
    )[1]->>'$.status' as available,
    created_at,
    updated_at,
    deleted_at,
    try_cast(json_extract_string(said, '$.time') as timestamp) as status_at,
    json_array_length(
        coalesce(json_extract(spec, '$.data.manifests'), json_extract(spec, '$.spec.workload.manifests'))
    )::bigint as manifests,
    held.names as applied_works,
    op_id,
    'resources:' || row_no as evidence
from taken
left join held on held.manifest_work_name = taken.id;
