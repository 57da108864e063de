-- title: One work with its manifests
-- answers: name, times and every manifest of a work, also of one whose row is gone and whose delete left its spec
-- parameter id: The resource id, or the whole name of the work
-- instead of: SELECT id, payload->'metadata'->>'name', payload->'spec'->'workload'->'manifests', created_at, updated_at, deleted_at FROM resources WHERE id = '<resource_id>'
-- tables: resources, status_events, applied_manifest_works
select
    coalesce(manifests.resource_id, works.resource_id) as resource_id,
    coalesce(manifests.work_name, works.work_name) as work_name,
    works.created_at,
    works.updated_at,
    works.deleted_at,
    manifests.kind,
    manifests.namespace,
    manifests.name,
    coalesce(manifests.evidence, works.evidence) as evidence
from works
full join manifests using (resource_id)
where $id in (coalesce(manifests.resource_id, works.resource_id), coalesce(manifests.work_name, works.work_name))
order by resource_id, evidence, manifests.place;
