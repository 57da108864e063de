-- title: Hop 3: the agent received the request
-- tables: log_lines, applied_manifest_works, manifest_works, coverage, resources, status_events
-- views: asked, applied_works
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
from log_lines
where resource_id in (from asked)
  and component = 'agent'
  and message = 'Received event'
  and event_type in ('spec.create_request', 'spec.update_request', 'spec.delete_request', 'spec.resync_response')
union all
select resource_id, 3, 'applied work', 'passed', null, 1, null, null, null, created_at, cluster, 'applied_manifest_works:' || row_no, name
from applied_works
where resource_id in (from asked)
order by resource_id, "at", evidence
