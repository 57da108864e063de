-- title: The AppliedManifestWorks of a work
-- parameters: resource_id
-- tables: applied_manifest_works
select
    name,
    cluster,
    created_at,
    deleted_at,
    eviction_started_at,
    coalesce(json_array_length(applied_resources), 0)::bigint as resources,
    'applied_manifest_works:' || row_no as evidence
from applied_manifest_works
where manifest_work_name = $1
order by created_at, name, evidence
