-- title: The stored spec of a work, whole
-- answers: the CloudEvent that the client sent last, as the database holds it
-- parameter id: The resource id, or the whole name of the work
-- instead of: SELECT jsonb_pretty(payload) FROM resources WHERE id = '<resource_id>'
-- tables: resources
select id as resource_id, work_name, version, payload, 'resources:' || row_no as evidence
from resources
where id = $id or work_name = $id
order by row_no;
