-- title: Hop 3: the agent received the request
-- tables: log_lines
-- views: asked, asked_lines
-- A spec also arrives as the answer to a resync; that counts.
select
    resource_id,
    3 as hop,
    'received' as step,
    'passed' as sign,
    case when deleting or event_type = 'spec.delete_request' then 'delete' end as request,
    resource_version as version,
    null as event_id,
    cloud_event_id,
    op_id,
    logged_at as "at",
    pod as place,
    'log_lines:' || row_no as evidence,
    event_type as about
from asked_lines
where component = 'agent'
  and message = 'Received event'
  and event_type in ('spec.create_request', 'spec.update_request', 'spec.delete_request', 'spec.resync_response')
order by resource_id, "at", evidence
