-- title: Who the work is, from the best source that is left
-- parameters: resource_id
-- tables: resources, status_events, log_lines
select
    1 as rank,
    id as resource_id,
    work_name,
    consumer_name as consumer,
    source,
    op_id,
    version,
    created_at,
    updated_at,
    deleted_at,
    spec_event_id,
    try_cast(json_extract_string(payload, '$.time') as timestamp) as spec_at,
    try_cast(json_extract_string(status, '$.resourceversion') as bigint) as status_version,
    list_contains(
        json_extract_string(payload, '$.data.manifestConfigs[*].updateStrategy.type'), 'ServerSideApply'
    ) as server_side,
    'resources:' || row_no as evidence
from resources
where id = $1
union all
select
    2,
    resource_id,
    work_name,
    json_extract_string(payload, '$.clustername'),
    nullif(resource_source, ''),
    null,
    null,
    null,
    null,
    null,
    null,
    null,
    null,
    list_contains(
        json_extract_string(payload, '$.data.manifestConfigs[*].updateStrategy.type'), 'ServerSideApply'
    ),
    'status_events:' || row_no
from status_events
where resource_id = $1 and json_valid(payload)
union all
select
    3,
    resource_id,
    work_name,
    consumer,
    source,
    op_id,
    null,
    null,
    null,
    null,
    null,
    null,
    null,
    null,
    'log_lines:' || row_no
from log_lines
where resource_id = $1 and (work_name is not null or consumer is not null)
order by rank, evidence
