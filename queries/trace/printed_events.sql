-- title: CloudEvents of a work that log lines print whole, the latest first
-- parameters: resource_id
-- tables: log_lines
-- klog quotes the event as Go does, which JSON reads; builds of 2025 print its data below the attributes. What a server
-- received from a client it may have refused; what was sent to the agent was stored.
with printed as (
    select
        *,
        case when json_valid(text) then coalesce(json_extract_string(text, '$.msg'), text) else text end as entry
    from log_lines
    where resource_id = $1
      and (event_type in ('spec.create_request', 'spec.update_request', 'spec.resync_response') or event_type like 'status.%')
),
quoted as (
    select
        *,
        '"' || regexp_extract(entry, ' event="((?:[^"\\]|\\.)*)"', 1) || '"' as event,
        regexp_extract(entry, '\bData,\s*(\{.*\})', 1, 's') as block
    from printed
),
decoded as (
    select
        * exclude (event),
        case
            when json_valid(block) then block
            when json_valid(event) and json_valid(json_extract_string(event, '$'))
                then json_extract(json_extract_string(event, '$'), '$.data')
        end as data
    from quoted
)
select
    event_type like 'spec.%' as is_spec,
    logged_at as "at",
    resource_version as version,
    json_extract(data, '$.manifests') as manifests,
    json_extract(data, '$.manifestConfigs') as manifest_configs,
    json_extract(data, '$.deleteOption') as delete_option,
    json_extract(data, '$.resourceStatus') as statuses,
    'log_lines:' || row_no as evidence
from decoded
where coalesce(json_extract(data, '$.manifests'), json_extract(data, '$.resourceStatus')) is not null
order by message = 'receive the event from client', logged_at desc nulls last, row_no desc
