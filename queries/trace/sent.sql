-- title: Hop 9: the status was sent to the subscribed client
-- tables: log_lines
-- views: asked, asked_lines
select
    resource_id,
    9 as hop,
    case component when 'client' then 'client received' else 'sent' end as step,
    'passed' as sign,
    case when deleting then 'delete' end as request,
    resource_version as version,
    null as event_id,
    cloud_event_id,
    op_id,
    logged_at as "at",
    pod as place,
    'log_lines:' || row_no as evidence,
    null as about
from asked_lines
where component = 'server' and message = 'send the event to status subscribers'
   or component = 'client' and message = 'Received event' and event_type in ('status.update_request', 'status.resync_response')
order by resource_id, "at", evidence
