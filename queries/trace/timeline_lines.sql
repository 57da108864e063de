-- title: Every log line about a work: by its id or name, its events, its operations, its objects; and those its cause rests on
-- parameters: resource_id, cause_rows
-- tables: log_lines, resources, events, status_events, coverage, applied_manifest_works, kube_objects, manifest_works
-- views: named_works, agent_lines, object_lines
with names as (
    select distinct work_name, consumer from named_works where resource_id = $1
),
own as (
    select *, 1 as strength, 'id' as matched_by from log_lines where resource_id = $1
    union all
    select lines.* replace (agent_lines.resource_id as resource_id), 2, 'name'
    from log_lines as lines
    join agent_lines using (row_no)
    where agent_lines.resource_id = $1
    union all
    select lines.*, 2, 'name'
    from log_lines as lines
    where component = 'client'
      and resource_id is null
      and exists (select 1 from names where names.work_name = lines.work_name and names.consumer = lines.consumer)
),
event_ids as (
    select id from events where source_id = $1
    union
    select id from status_events where resource_id = $1
    union
    select event_id from own where event_id is not null
    union
    select cloud_event_id from own where cloud_event_id is not null
    union
    select spec_event_id from resources where id = $1 and spec_event_id is not null
),
-- An operation that is about other works too tells nothing about this one.
operations as (
    select op_id from own where op_id is not null
    union
    select op_id from resources where id = $1 and op_id is not null
    except
    select op_id from log_lines where resource_id <> $1
),
found as (
    select * from own
    union all
    select *, 3, 'event'
    from log_lines
    where resource_id is null
      and (event_id in (select id from event_ids) or cloud_event_id in (select id from event_ids))
    union all
    select *, 4, 'operation'
    from log_lines
    where resource_id is null
      and op_id in (select op_id from operations)
      and (work_name is null or work_name in (select work_name from names))
    union all
    select lines.* replace (object_lines.resource_id as resource_id), 5, 'object'
    from log_lines as lines
    join object_lines using (row_no)
    where object_lines.resource_id = $1
    union all
    select *, 6, 'cause' from log_lines where list_contains(string_split($2, ' '), row_no::varchar)
),
lines as (
    select
        *,
        nullif(regexp_extract(message, '^\{.*"request_url":"([^"]*)"', 1), '') as request_url,
        nullif(regexp_extract(message, '^\{.*"response_status":(\d+)', 1), '') as response_status,
        nullif(concat_ws(' ', object_resource, concat_ws('/', nullif(object_namespace, ''), object_name)), '') as object
    from found
    qualify row_number() over (partition by row_no order by strength) = 1
)
select
    logged_at as "at",
    logged_at as order_at,
    case component
        when 'client' then if(event_type like 'status.%', 90, 10)
        when 'agent' then case message when 'Received event' then 40 when 'Sending event' then 55 else 50 end
        else case
            when coalesce(request_url, response_status) is not null then 15
            when message = 'send the event to status subscribers' then 80
            when message like 'Broadcast %' then 75
            when event_type like 'status.%' or message like '%status%' then 60
            when event_id is not null then 30
            else 15
        end
    end as rank,
    component as source,
    cluster,
    coalesce(pod, file) as place,
    case
        when message is null then text
        when request_url is not null then concat_ws(' ', 'REST', request_method, request_url)
        when response_status is not null then 'REST answer ' || response_status
        else concat_ws(
            ': ',
            concat_ws(
                ', ',
                concat_ws(' ', message, event_type, status_event_type),
                'version ' || resource_version,
                case
                    when deleting and event_type like 'status.%' and not finalizers then 'deleted'
                    when deleting then 'deleting'
                end
            ),
            if(message like '%/%', null, object),
            if(ends_with(message, error), null, error),
            'has ' || lines.found || ', got ' || want
        )
    end as what,
    matched_by,
    coalesce(op_id, (select min(op_id) from own where own.cloud_event_id = lines.cloud_event_id)) as op_id,
    'log_lines:' || row_no as evidence,
    text
from lines
order by order_at, rank, row_no
