-- title: Conditions of whole works, from the database and from log lines that print a status whole
-- tables: resources, status_events, log_lines
-- shape: resource_id varchar, version bigint, happened_at timestamp, place varchar, evidence varchar,
--   type varchar, status varchar, reason varchar, message varchar, observed_generation bigint
with statuses as (
    select
        id as resource_id,
        try_cast(json_extract_string(status, '$.resourceversion') as bigint) as version,
        try_cast(json_extract_string(status, '$.time') as timestamp) as happened_at,
        'database' as place,
        'resources:' || row_no as evidence,
        json_extract(status, '$.data.conditions[*]') as conditions
    from resources
    where json_valid(status)
    union all
    select
        resource_id,
        try_cast(json_extract_string(status, '$.resourceversion') as bigint),
        try_cast(json_extract_string(status, '$.time') as timestamp),
        'database',
        'status_events:' || row_no,
        json_extract(status, '$.data.conditions[*]')
    from status_events
    where json_valid(status)
    union all
    select
        resource_id,
        resource_version,
        logged_at,
        pod,
        'log_lines:' || row_no,
        json_extract(conditions, '$[*]')
    from log_lines
    where json_valid(conditions)
),
conditions as (
    select resource_id, version, happened_at, place, evidence, unnest(conditions) as condition
    from statuses
)
select
    resource_id,
    version,
    happened_at,
    place,
    evidence,
    json_extract_string(condition, '$.type') as type,
    json_extract_string(condition, '$.status') as status,
    json_extract_string(condition, '$.reason') as reason,
    json_extract_string(condition, '$.message') as message,
    try_cast(json_extract_string(condition, '$.observedGeneration') as bigint) as observed_generation
from conditions
