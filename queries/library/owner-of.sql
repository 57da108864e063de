-- title: The work that an object belongs to
-- answers: the AppliedManifestWork, the resource id and the work name behind an object; no rows where nothing of Maestro's owns it
-- parameter name: Name of the object
-- parameter kind =: Its kind
-- parameter namespace =: Its namespace
-- with kind=… name=… namespace=… instead of: kubectl get <kind> <name> -n <namespace> -o jsonpath='{.metadata.ownerReferences[?(@.kind=="AppliedManifestWork")].name}'
-- tables: kube_objects, manifest_works, applied_manifest_works, resources
with objects as (
    select cluster, kind, namespace, name, applied_works, 'kube_objects:' || row_no as evidence from kube_objects
    union all
    select cluster, 'ManifestWork', namespace, name, applied_works, 'manifest_works:' || row_no from manifest_works
),
owned as (
    select * exclude (applied_works), unnest(string_split(applied_works, ' ')) as applied_work
    from objects
    where name = $name
      and ($kind = '' or lower(kind) = lower($kind))
      and ($namespace = '' or namespace = $namespace)
)
select
    owned.cluster,
    owned.kind,
    owned.namespace,
    owned.name,
    owned.applied_work,
    owners.manifest_work_name as resource_id,
    resources.work_name,
    owned.evidence
from owned
left join applied_manifest_works as owners
    on owners.name = owned.applied_work and owners.cluster is not distinct from owned.cluster
left join resources on resources.id = owners.manifest_work_name
order by owned.cluster, owned.kind, owned.namespace, owned.evidence, owned.applied_work;
