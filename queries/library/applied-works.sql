-- title: AppliedManifestWorks of a work
-- answers: on which clusters a work was applied, and under which name
-- parameter id =: The resource id or the name of the AppliedManifestWork; all of them without it
-- with id=… instead of: kubectl get appliedmanifestworks -o json | jq '.items[] | select(.spec.manifestWorkName == "<resource_id>") | .metadata.name'
-- with id=… instead of: kubectl get appliedmanifestwork <name> -o jsonpath='{.spec.manifestWorkName}'
-- with id=… instead of: kubectl get appliedmanifestwork <name> -o yaml; dacapo show opens the row
-- tables: applied_manifest_works
select
    cluster,
    name,
    manifest_work_name as resource_id,
    created_at,
    deleted_at,
    eviction_started_at,
    'applied_manifest_works:' || row_no as evidence
from applied_manifest_works
where $id = '' or $id in (manifest_work_name, name)
order by cluster, name, row_no;
