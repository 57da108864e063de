-- title: The AppliedManifestWorks of a work
-- parameters: resource_id
-- tables: applied_manifest_works, coverage, resources, status_events, log_lines
select name
from applied_works
where resource_id = $1
order by created_at, name
