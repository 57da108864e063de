-- title: Hop 6: a server received the status
-- tables: log_lines
-- views: asked, asked_lines, status_lines
select
    resource_id,
    6 as hop,
    case
        when message = 'Received event' then 'received'
        when message like 'received %' then 'taken up'
        when message like 'handle %' then 'mine'
        when message like 'skipping %' then 'not mine'
        else 'updating'
    end as step,
    'passed' as sign,
    case when status_deleting then 'delete' end as request,
    status_version as version,
    null as event_id,
    coalesce(sequence_id, cloud_event_id) as cloud_event_id,
    op_id,
    logged_at as "at",
    pod as place,
    'log_lines:' || row_no as evidence,
    null as about
from status_lines
where message = 'Received event' and event_type in ('status.update_request', 'status.resync_response')
   or message in (
       'received status update for resource',
       'handle resource status update by the current instance',
       'skipping resource status update as it is not owned by the current instance',
       'Updating resource status'
   )
order by resource_id, "at", evidence
