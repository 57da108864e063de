-- title: Hop 5: the agent sent a status
-- tables: log_lines, coverage, resources, status_events, applied_manifest_works
-- views: asked, agent_lines
select
    resource_id,
    5 as hop,
    case message when 'Sending event' then 'sending' else 'publishing' end as step,
    case message when 'Sending event' then 'passed' else 'failed' end as sign,
    case when message = 'Sending event' and deleting then 'delete' end as request,
    case message when 'Sending event' then resource_version end as version,
    null as event_id,
    case message when 'Sending event' then coalesce(sequence_id, cloud_event_id) end as cloud_event_id,
    case message when 'Sending event' then op_id end as op_id,
    logged_at as "at",
    pod as place,
    'log_lines:' || row_no as evidence,
    case when message <> 'Sending event' then error end as about
from agent_lines
semi join asked using (resource_id)
where message = 'Sending event' and event_type like 'status.%'
   or message = 'controller failed to sync' and error like '%Failed to publish resource%'
   or message = 'failed to delete work'
order by resource_id, "at", evidence
