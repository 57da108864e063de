-- title: Status events of a work, and which servers broadcast them
-- answers: whether a status was stored, and which instances have handled it
-- parameter id =: The resource id; all status events without it
-- with id=… instead of: SELECT id, status_event_type FROM status_events WHERE resource_id = '<resource_id>'
-- tables: status_events, event_instances
select
    status_events.id,
    status_events.resource_id,
    status_events.status_event_type,
    status_events.created_at,
    string_agg(event_instances.instance_id, ' ' order by event_instances.instance_id) as broadcast_by,
    'status_events:' || status_events.row_no as evidence
from status_events
left join event_instances on event_instances.event_id = status_events.id
where $id = '' or status_events.resource_id = $id
group by all
order by status_events.created_at nulls last, evidence;
