-- title: Feedback of a work
-- answers: the values that the agent reports of the objects of a work
-- parameter id =: The resource id, or the whole name of the work; all works without it
-- with id=… instead of: curl …/resource-bundles | jq '.status.resourceStatus[].statusFeedback.values[]'
-- tables: resources, status_events
select work_name, kind, namespace, name, field, type, value, evidence
from feedback
where $id = '' or $id in (resource_id, work_name)
order by work_name, evidence, kind, namespace, name, field;
