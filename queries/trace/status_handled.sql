-- title: Hop 7: the status was stored, and a status event made
-- tables: resources, status_events, log_lines
-- views: asked, status_lines
-- "Updating resource status" comes before the write and proves nothing. A status that was asked for over REST has no id
-- and no time of its own; its sequence id is a snowflake, which has the agent's time in it.
select
    resource_id,
    7 as hop,
    'stored' as step,
    'passed' as sign,
    case when status_deleting or message = 'resource status delete event was sent' then 'delete' end as request,
    status_version as version,
    null as event_id,
    null as cloud_event_id,
    op_id,
    logged_at as "at",
    pod as place,
    'log_lines:' || row_no as evidence,
    case message when 'resource status delete event was sent' then 'StatusDelete' end as about
from status_lines
where resource_id in (from asked)
  and message in ('resource status update event was sent', 'resource status delete event was sent')
union all
select
    id,
    7,
    'row',
    'passed',
    case when json_extract_string(status, '$.metadata.deletionTimestamp') is not null then 'delete' end,
    try_cast(json_extract_string(status, '$.resourceversion') as bigint),
    null,
    json_extract_string(status, '$.id'),
    null,
    coalesce(
        try_cast(json_extract_string(status, '$.time') as timestamp),
        make_timestamp(((try_cast(json_extract_string(status, '$.sequenceid') as bigint) >> 22) + 1288834974657) * 1000)
    ),
    'database',
    'resources:' || row_no,
    null
from resources
where id in (from asked)
  and json_valid(status)
  and coalesce(json_extract_string(status, '$.id'), json_extract_string(status, '$.sequenceid')) is not null
union all
select
    resource_id,
    7,
    'status event',
    'passed',
    case status_event_type when 'StatusDelete' then 'delete' end,
    null,
    id,
    null,
    null,
    created_at,
    'database',
    'status_events:' || row_no,
    status_event_type
from status_events
where resource_id in (from asked)
union all
select resource_id, 7, 'handling', 'failed', null, status_version, null, null, op_id, logged_at, pod, 'log_lines:' || row_no, error
from status_lines
where resource_id in (from asked) and message = 'failed to handle status event'
union all
select resource_id, 7, 'not owned', 'skipped', null, status_version, null, null, op_id, logged_at, pod, 'log_lines:' || row_no, message
from status_lines
where resource_id in (from asked) and message = 'skipping resource status update as it is not owned by the current instance'
union all
-- The same sequence again is a second delivery, an older version a status that came too late.
select
    resource_id,
    7,
    'stale',
    'skipped',
    null,
    status_version,
    null,
    null,
    op_id,
    logged_at,
    pod,
    'log_lines:' || row_no,
    case
        when length(found) < 10
            then 'a status of version ' || want || ' was disregarded because version ' || found || ' was stored by then'
    end
from status_lines
where resource_id in (from asked) and message = 'Updating status for stale resource; disregard it'
order by resource_id, "at", evidence
