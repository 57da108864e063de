-- title: Conditions of a work and of its manifests
-- answers: what the agent last said: was it applied, is it available, and why not
-- parameter id =: The resource id, or the whole name of the work; all works without it
-- parameter status =: `True`, `False` or `Unknown`; all without it
-- with id=… instead of: curl …/resource-bundles | jq '.status.conditions'
-- tables: resources, status_events
select work_name, version, kind, namespace, name, type, status, reason, message, changed_at, evidence
from conditions
where ($id = '' or $id in (resource_id, work_name)) and ($status = '' or status = $status)
order by work_name, evidence, kind nulls first, namespace, name, type;
