-- title: Objects on clusters
-- answers: which objects of a kind clusters hold, and which AppliedManifestWorks own them
-- parameter kind =: The kind, such as HostedCluster; all kinds without it
-- parameter namespace =: The namespace; all without it
-- parameter name =: The name; all without it
-- with kind=… namespace=… name=… instead of: kubectl get {kind} {name} -n {namespace} -o yaml; dacapo show opens the row
-- with kind=ManagedCluster instead of: kubectl get managedclusters
-- with kind=HostedCluster instead of: kubectl get hostedclusters -A
-- tables: kube_objects
select cluster, kind, namespace, name, created_at, deleted_at, applied_works, 'kube_objects:' || row_no as evidence
from kube_objects
where ($kind = '' or lower(kind) = lower($kind))
  and ($namespace = '' or namespace = $namespace)
  and ($name = '' or name = $name)
order by cluster, kind, namespace, name, row_no;
