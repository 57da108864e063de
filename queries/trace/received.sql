-- title: Hop 1: a server received the request
-- tables: log_lines
-- views: asked
-- The line is written before anything is checked, so it proves receipt and nothing more. A client that could
-- not send looked the work up before, with the same operation id; it asked to create what was not
-- found; what is found it may want to change or to delete.
with lookups as (
    select resource_id, op_id, bool_or(message = 'user request error' and error like '%not found%') as absent
    from log_lines
    where resource_id in (from asked) and component = 'server' and op_id is not null
    group by resource_id, op_id
)
select
    resource_id,
    1 as hop,
    case request_method when 'DELETE' then 'asked over REST' else 'received' end as step,
    'passed' as sign,
    case event_type
        when 'spec.create_request' then 'create'
        when 'spec.update_request' then 'update'
        else 'delete'
    end as request,
    resource_version as version,
    null as event_id,
    cloud_event_id,
    op_id,
    logged_at as "at",
    pod as place,
    'log_lines:' || row_no as evidence,
    source as about
from log_lines
where resource_id in (from asked)
  and component = 'server'
  and (
      message = 'receive the event from client'
      and event_type in ('spec.create_request', 'spec.update_request', 'spec.delete_request')
      or request_method = 'DELETE'
  )
union all
select
    resource_id,
    1,
    'asked',
    'tried',
    case event_type
        when 'spec.create_request' then 'create'
        when 'spec.update_request' then 'update'
        else 'delete'
    end,
    resource_version,
    null,
    cloud_event_id,
    op_id,
    logged_at as "at",
    pod,
    'log_lines:' || row_no,
    source
from log_lines
where resource_id in (from asked)
  and component = 'client'
  and message = 'Sending event'
  and event_type in ('spec.create_request', 'spec.update_request', 'spec.delete_request')
union all
select
    lookups.resource_id,
    1,
    'asking',
    'failed',
    case when absent then 'create' end,
    resource_version,
    null,
    null,
    log_lines.op_id,
    logged_at,
    pod,
    'log_lines:' || row_no,
    error
from log_lines
join lookups on lookups.op_id = log_lines.op_id
where component = 'client' and error like 'Failed to publish resource %'
order by resource_id, "at", evidence
