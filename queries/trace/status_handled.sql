-- title: Hop 7: the status was stored, and a status event made
-- tables: resources, status_events, log_lines
-- views: asked, asked_lines, status_lines
-- "Updating resource status" comes before the write and proves nothing. A status that was asked for over REST has no id
-- and no time of its own; its sequence id is a snowflake, which has the agent's time in it.
-- The same sequence again is a second delivery, an older version a status that came too late.
with lines as not materialized (
    select
        resource_id,
        status_deleting,
        message,
        status_version,
        op_id,
        logged_at,
        pod,
        row_no,
        error,
        found,
        want,
        case message
            when 'resource status update event was sent' then 'stored'
            when 'resource status delete event was sent' then 'stored'
            when 'failed to handle status event' then 'handling'
            when 'skipping resource status update as it is not owned by the current instance' then 'not owned'
            when 'Updating status for stale resource; disregard it' then 'stale'
        end as step
    from status_lines
)
select
    resource_id,
    7 as hop,
    step,
    case step when 'stored' then 'passed' when 'handling' then 'failed' else 'skipped' end as sign,
    case
        when step = 'stored' and (status_deleting or message = 'resource status delete event was sent') then 'delete'
    end as request,
    status_version as version,
    null as event_id,
    null as cloud_event_id,
    op_id,
    logged_at as "at",
    pod as place,
    'log_lines:' || row_no as evidence,
    case
        when message = 'resource status delete event was sent' then 'StatusDelete'
        when step = 'handling' then error
        when step = 'not owned' then message
        when step = 'stale' and length(found) < 10
            then 'a status of version ' || want || ' was disregarded because version ' || found || ' was stored by then'
    end as about
from lines
where step is not null
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
semi join asked on asked.resource_id = resources.id
where json_valid(status)
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
semi join asked using (resource_id)
order by resource_id, "at", evidence
