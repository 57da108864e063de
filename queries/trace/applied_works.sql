-- title: The AppliedManifestWorks of a work
-- parameters: resource_id
-- tables: applied_manifest_works
select name
from applied_manifest_works
where manifest_work_name = $1
order by created_at, name
