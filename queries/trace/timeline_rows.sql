-- title: What the database says about a work, and when
-- parameters: resource_id
-- tables: resources, events, status_events, event_instances, log_lines
-- views: work_conditions
with held as (
    select
        *,
        try_cast(try(json_extract_string(payload, '$.time')) as timestamp) as spec_at,
        coalesce(
            try_cast(try(json_extract_string(status, '$.time')) as timestamp),
            try(make_timestamp(((json_extract_string(status, '$.sequenceid')::bigint >> 22) + 1288834974657) * 1000))
        ) as status_at,
        try(json_extract_string(status, '$.resourceversion')) as status_version
    from resources
    where id = $1
),
conditions as (
    select evidence, string_agg(type || ' ' || status, ', ' order by type) as said
    from work_conditions
    where resource_id = $1
    group by evidence
),
status_event_ids as (
    select id from status_events where resource_id = $1
    union
    select event_id from log_lines where resource_id = $1 and event_id is not null
),
rows as (
    select spec_at as happened_at, 5 as rank, 'the stored spec was sent' as what, op_id, 'resources:' || row_no as evidence
    from held
    where spec_at is not null
    union all
    select created_at, 20, 'resources row created', null, 'resources:' || row_no from held
    union all
    select deleted_at, 20, 'resources row marked as deleting', null, 'resources:' || row_no
    from held
    where deleted_at is not null
    union all
    select status_at, 54, concat_ws(', ', 'the stored status was sent', 'version ' || status_version, said), null, 'resources:' || row_no
    from held
    left join conditions on conditions.evidence = 'resources:' || row_no
    where status_at is not null
    union all
    select updated_at, 72, concat_ws(', ', 'resources row written last', 'version ' || version), null, 'resources:' || row_no
    from held
    where updated_at is distinct from created_at and updated_at is distinct from deleted_at
    union all
    select created_at, 22, 'events row created: ' || event_type, null, 'events:' || row_no
    from events
    where source_id = $1
    union all
    select reconciled_date, 36, 'events row reconciled: ' || event_type, null, 'events:' || row_no
    from events
    where source_id = $1 and reconciled_date is not null
    union all
    select created_at, 70, 'status_events row created: ' || status_event_type, null, 'status_events:' || row_no
    from status_events
    where resource_id = $1
    union all
    select null, 78, 'event_instances row: broadcast by ' || instance_id, null, 'event_instances:' || row_no
    from event_instances
    where event_id in (select id from status_event_ids)
)
select
    happened_at as "at",
    happened_at as order_at,
    rank,
    'database' as source,
    null as cluster,
    'database' as place,
    what,
    if(evidence like 'event_instances:%', 'event', 'id') as matched_by,
    op_id,
    evidence,
    null as text
from rows
where what is not null
order by order_at, rank, evidence
