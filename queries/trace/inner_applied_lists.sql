-- title: What the AppliedManifestWorks list that belong to a ManifestWork in a cluster
-- parameters: name
-- tables: applied_manifest_works
-- only with: applied_manifest_works
-- They are made by another agent than Maestro's, which marks its own.
select
    cluster,
    name,
    hub_hash,
    created_at,
    deleted_at,
    eviction_started_at,
    applied_resources,
    'applied_manifest_works:' || row_no as evidence
from applied_manifest_works
where manifest_work_name = $1
  and case
      when json_valid(object)
          then json_extract_string(object, '$.metadata.labels."cloudevents.open-cluster-management.io/originalsource"')
  end is null
qualify row_number() over (
    partition by cluster, name
    order by
        case when json_valid(object) then try_cast(json_extract_string(object, '$.metadata.resourceVersion') as bigint) end
            desc nulls last,
        row_no desc
) = 1
order by created_at, name, row_no
