-- title: Kubernetes Events
-- answers: what clusters noted about objects, latest last
-- parameter namespace =: The namespace; all without it
-- parameter name =: Name of the object it is about; all without it
-- with namespace=… instead of: kubectl get events -n {namespace} --sort-by='.lastTimestamp'
-- tables: kube_events
select
    coalesce(last_at, first_at) as last_at,
    cluster,
    namespace,
    type,
    reason,
    object_kind,
    object_name,
    message,
    "count",
    'kube_events:' || row_no as evidence
from kube_events
where ($namespace = '' or namespace = $namespace) and ($name = '' or object_name = $name)
order by last_at nulls last, row_no;
