-- title: Manifests: one row for each manifest that a stored spec asks for
-- answers: which objects a work asks for, also one whose row is gone and whose delete left a copy of its spec
-- tables: resources, status_events
-- column resource_id: Resource id.
-- column work_name: The name the client gave the work.
-- column place: Its place in the work, counted from 1.
-- column api_version: API group and version.
-- column kind: Kind.
-- column namespace: Namespace; none for cluster-scoped objects.
-- column name: Name.
-- column manifest: The manifest, whole, as JSON.
-- column evidence: The row it stands in.
create view manifests as
with lists as (
    select
        resource_id,
        work_name,
        evidence,
        json_extract(
            coalesce(json_extract(spec, '$.data.manifests'), json_extract(spec, '$.spec.workload.manifests')), '$[*]'
        ) as items
    from stored
),
single as (
    select
        resource_id, work_name, evidence, unnest(items) as manifest, unnest(range(1, len(items) + 1)) as place
    from lists
)
select
    resource_id,
    work_name,
    place,
    json_extract_string(manifest, '$.apiVersion') as api_version,
    json_extract_string(manifest, '$.kind') as kind,
    json_extract_string(manifest, '$.metadata.namespace') as namespace,
    json_extract_string(manifest, '$.metadata.name') as name,
    manifest,
    evidence
from single;
