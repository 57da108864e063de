-- title: Objects that an AppliedManifestWork lists
-- answers: what the agent says it applied
-- parameter id: The resource id, or the name of the AppliedManifestWork
-- instead of: kubectl get appliedmanifestwork <name> -o jsonpath='{range .status.appliedResources[*]}…'
-- tables: applied_manifest_works
with listed as (
    select
        cluster,
        name as applied_work,
        'applied_manifest_works:' || row_no as evidence,
        unnest(json_extract(case when json_valid(applied_resources) then applied_resources end, '$[*]')) as item
    from applied_manifest_works
    where $id in (manifest_work_name, name)
)
select
    cluster,
    applied_work,
    json_extract_string(item, '$.group') as "group",
    json_extract_string(item, '$.resource') as resource,
    json_extract_string(item, '$.namespace') as namespace,
    json_extract_string(item, '$.name') as name,
    json_extract_string(item, '$.uid') as uid,
    evidence
from listed
order by cluster, applied_work, resource, namespace, name;
