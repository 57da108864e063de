-- title: Spec events of a work
-- answers: whether each change of a work was handled; reconciled_date is empty where it was not
-- parameter id =: The resource id; all events without it
-- with id=… instead of: SELECT id, event_type, reconciled_date FROM events WHERE source_id = '<resource_id>'
-- tables: events
select id, source_id as resource_id, event_type, created_at, reconciled_date, 'events:' || row_no as evidence
from events
where $id = '' or source_id = $id
order by created_at nulls last, row_no;
