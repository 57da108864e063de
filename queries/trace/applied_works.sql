-- title: The AppliedManifestWorks of a work
-- parameters: resource_id
-- tables: applied_manifest_works, coverage, resources, status_events, log_lines
select name, hub_hash, eviction_started_at, 'applied_manifest_works:' || row_no as evidence
from applied_works
where resource_id = $1
order by created_at, name, row_no
