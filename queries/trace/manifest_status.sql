-- title: What the agent reported on each manifest of a work, as the database has it
-- parameters: resource_id
-- tables: resources, status_events
-- While there is a row, the status events of earlier lives say nothing about it.
with statuses as (
    select 1 as rank, updated_at as stored_at, status, row_no, 'resources:' || row_no as evidence
    from resources
    where id = $1 and json_valid(status)
    union all
    select 2, created_at, status, row_no, 'status_events:' || row_no
    from status_events
    where resource_id = $1 and json_valid(status) and not exists (select 1 from resources where id = $1)
)
select
    try_cast(json_extract_string(status, '$.resourceversion') as bigint) as version,
    json_extract(status, '$.data.resourceStatus') as manifests,
    evidence
from statuses
where json_type(status) = 'OBJECT'
order by rank, version desc nulls last, stored_at desc nulls last, row_no
