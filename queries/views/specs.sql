-- title: What each work asks for, from every source of the database that has it
-- tables: resources, status_events
-- shape: resource_id varchar, rank integer, work_name varchar, version bigint, stored_at timestamp, row_no bigint,
--   evidence varchar, manifests json, manifest_configs json, delete_option json
-- The row goes with the work; the status event of its delete has the last copy, also that of an earlier life. A stored
-- CloudEvent has the manifests below data, a ManifestWork object below spec.
with payloads as (
    select
        id as resource_id,
        1 as rank,
        work_name,
        version,
        updated_at as stored_at,
        payload,
        'resources' as table_name,
        row_no
    from resources
    where json_valid(payload)
    union all
    select resource_id, 2, work_name, null, created_at, payload, 'status_events', row_no
    from status_events
    where json_valid(payload)
),
taken_apart as (
    select
        resource_id,
        rank,
        work_name,
        version,
        stored_at,
        row_no,
        table_name || ':' || row_no as evidence,
        coalesce(
            json_extract(payload, '$.data.manifests'), json_extract(payload, '$.spec.workload.manifests')
        ) as manifests,
        coalesce(
            json_extract(payload, '$.data.manifestConfigs'), json_extract(payload, '$.spec.manifestConfigs')
        ) as manifest_configs,
        coalesce(json_extract(payload, '$.data.deleteOption'), json_extract(payload, '$.spec.deleteOption')) as delete_option
    from payloads
)
select *
from taken_apart
where manifests is not null
