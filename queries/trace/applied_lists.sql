-- title: What the AppliedManifestWorks of a work list
-- parameters: resource_id
-- tables: applied_manifest_works, manifest_works, coverage, resources, status_events, log_lines
-- only with: applied_manifest_works
-- views: applied_works
-- One that was taken several times counts as it was last.
select
    cluster,
    name,
    hub_hash,
    created_at,
    deleted_at,
    eviction_started_at,
    applied_resources,
    'applied_manifest_works:' || row_no as evidence
from applied_works
where resource_id = $1
qualify row_number() over (
    partition by cluster, name
    order by
        case when json_valid(object) then try_cast(json_extract_string(object, '$.metadata.resourceVersion') as bigint) end
            desc nulls last,
        row_no desc
) = 1
order by created_at, name, row_no
