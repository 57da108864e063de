-- title: Hop 1: a server received the request
-- tables: log_lines
-- views: asked, asked_lines
-- The line is written before anything is checked, so it proves receipt and nothing more. A client that could
-- not send looked the work up before, with the same operation id; it asked to create what was not
-- found; what is found it may want to change or to delete.
with unsent as not materialized (
    select row_no, pod, logged_at, op_id, resource_version, error
    from log_lines
    where component = 'client' and error like 'Failed to publish resource %'
),
lookups as not materialized (
    select resource_id, op_id, bool_or(message = 'user request error' and error like '%not found%') as absent
    from asked_lines
    where component = 'server'
    group by resource_id, op_id
)
select
    resource_id,
    1 as hop,
    case
        when component = 'client' then 'asked'
        when request_method = 'DELETE' then 'asked over REST'
        else 'received'
    end as step,
    case component when 'client' then 'tried' else 'passed' end as sign,
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
from asked_lines
where event_type in ('spec.create_request', 'spec.update_request', 'spec.delete_request')
  and (
      component = 'server' and message = 'receive the event from client'
      or component = 'client' and message = 'Sending event'
  )
   or component = 'server' and request_method = 'DELETE'
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
    unsent.op_id,
    logged_at,
    pod,
    'log_lines:' || row_no,
    error
from unsent
join lookups on lookups.op_id = unsent.op_id
order by resource_id, "at", evidence
