-- title: Who the work is, from the best source that is left
-- tables: resources, status_events, log_lines
-- views: asked, asked_lines
-- The same row may be there in several forms: whole, as a REST answer (no source, no CloudEvent id), or in parts.
with known as not materialized (
    select
        id as resource_id,
        1 as rank,
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
        has_status_column,
        list_contains(
            json_extract_string(payload, '$.data.manifestConfigs[*].updateStrategy.type'), 'ServerSideApply'
        ) as server_side,
        'resources:' || row_no as evidence,
        (version is not null)::int + (version is not null and spec_event_id is not null)::int as knows
    from (
        select
            id,
            work_name,
            consumer_name,
            source,
            op_id,
            version,
            created_at,
            updated_at,
            deleted_at,
            spec_event_id,
            row_no,
            case when json_valid(payload) then payload end as payload,
            case when json_valid(status) then status end as status,
            status is not null as has_status_column
        from resources
        semi join asked on asked.resource_id = resources.id
    )
    union all
    select
        resource_id,
        2,
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
        false,
        list_contains(
            json_extract_string(payload, '$.data.manifestConfigs[*].updateStrategy.type'), 'ServerSideApply'
        ),
        'status_events:' || row_no,
        0
    from status_events
    semi join asked using (resource_id)
    where json_valid(payload)
    union all
    -- There may be thousands of lines, and they tell the same; nothing new, where a row tells all of it.
    select
        resource_id,
        3,
        arg_min(work_name, reference),
        arg_min(consumer, reference),
        arg_min(source, reference),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        false,
        null,
        min(reference),
        0
    from (select resource_id, work_name, consumer, source, 'log_lines:' || row_no as reference from asked_lines) as lines
    anti join (
        select id from resources where work_name is not null and consumer_name is not null and source is not null
    ) as told on told.id = lines.resource_id
    where work_name is not null or consumer is not null
    group by resource_id
)
select
    resource_id,
    rank,
    work_name,
    consumer,
    source,
    op_id,
    version,
    created_at,
    updated_at,
    deleted_at,
    spec_event_id,
    spec_at,
    status_version,
    has_status_column,
    server_side,
    evidence
from known
order by resource_id, rank, knows desc, updated_at desc nulls last, evidence
