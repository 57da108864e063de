-- title: Hop 5: the agent sent a status
-- tables: log_lines, coverage, resources, status_events
-- views: asked, agent_lines
select
    resource_id,
    5 as hop,
    'sending' as step,
    'passed' as sign,
    case when deleting then 'delete' end as request,
    resource_version as version,
    null as event_id,
    coalesce(sequence_id, cloud_event_id) as cloud_event_id,
    op_id,
    logged_at as "at",
    pod as place,
    'log_lines:' || row_no as evidence,
    null as about
from agent_lines
where resource_id in (from asked) and message = 'Sending event' and event_type like 'status.%'
union all
select resource_id, 5, 'publishing', 'failed', null, null, null, null, null, logged_at, pod, 'log_lines:' || row_no, error
from agent_lines
where resource_id in (from asked)
  and (
      message = 'controller failed to sync' and error like '%Failed to publish resource%'
      or message = 'failed to delete work'
  )
order by resource_id, "at", evidence
