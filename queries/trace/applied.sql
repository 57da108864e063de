-- title: Hop 4: the agent applied the manifests, or removed them
-- tables: resources, status_events, log_lines, coverage, applied_manifest_works, manifest_works, kube_objects
-- views: asked, work_conditions, manifest_conditions, applied_works, agent_lines, manifests
-- An apply line is an attempt. The Applied condition tells the outcome; a refusal by the API server is also
-- in the agent's log, except for server-side-apply conflicts.
with own as materialized (
    select * from manifests where resource_id in (from asked)
),
lines as materialized (
    select resource_id, row_no, logged_at, pod, message, error, object_name, event_type, resource_version, op_id, deleting, finalizers
    from agent_lines
    where resource_id in (from asked)
),
refused_manifests as (
    select
        resource_id,
        string_agg(
            concat_ws(' ', kind, concat_ws('/', namespace, name)) || ': ' || message, '; ' order by kind, namespace, name
        ) as about
    from manifest_conditions
    where resource_id in (from asked) and type = 'Applied' and status = 'False'
    group by resource_id
),
asked_for as (
    select distinct resource_id, kind, namespace, name from own where seen_in = 'payload'
),
held as (
    select resource_id, kind, namespace, name, min(created_at) as created_at, min(evidence) as evidence
    from own
    where seen_in = 'object'
    group by all
),
listed as (
    select distinct resource_id, kind, namespace, name from own where seen_in = 'applied_work'
),
wanted as (
    select * from asked_for
    union all
    select *
    from listed
    where not exists (select 1 from asked_for where asked_for.resource_id = listed.resource_id)
),
found as (
    select
        wanted.resource_id,
        count(*) as wanted,
        count(held.name) as held,
        max(held.created_at) as created_at,
        min(held.evidence) as evidence
    from wanted
    left join held
        on wanted.resource_id = held.resource_id
        and wanted.kind = held.kind and wanted.name = held.name
        and wanted.namespace is not distinct from held.namespace
    group by wanted.resource_id
)
select
    resource_id,
    4 as hop,
    'condition' as step,
    case conditions.status when 'True' then 'passed' else 'failed' end as sign,
    null as request,
    coalesce(observed_generation, version) as version,
    null as event_id,
    null as cloud_event_id,
    null as op_id,
    happened_at as "at",
    place,
    conditions.evidence,
    case conditions.status when 'True' then message else coalesce(refused_manifests.about, message) end as about
from work_conditions as conditions
left join refused_manifests using (resource_id)
where resource_id in (from asked) and type = 'Applied' and conditions.status in ('True', 'False')
union all
select resource_id, 4, 'sync', 'failed', null, null, null, null, null, logged_at, pod, 'log_lines:' || row_no, error
from lines
where message = 'controller failed to sync'
  and error not like '%Failed to publish resource%'
  -- Two controllers met in the agent's memory; it tries again within milliseconds.
  and error not like '%the resource version of the work is outdated%'
  and not regexp_matches(error, 'manifestworks\.work\.open-cluster-management\.io .* not found')
union all
select resource_id, 4, 'reconciled', 'tried', null, null, null, null, null, logged_at, pod, 'log_lines:' || row_no, null
from lines
where message = 'Requeue manifestwork'
union all
select resource_id, 4, 'decode', 'failed', null, null, null, null, null, logged_at, pod, 'log_lines:' || row_no, error
from lines
where message in ('failed to decode spec', 'failed to handle spec event')
union all
select resource_id, 4, 'objects', 'passed', null, 1, null, null, null, created_at, 'cluster', evidence, held || ' of ' || wanted || ' manifests are there'
from found
where wanted > 0 and held = wanted
union all
select resource_id, 4, 'owner set', 'tried', null, null, null, null, null, logged_at, pod, 'log_lines:' || row_no, object_name
from lines
where message in ('Patching resource', 'Noop because its read-only')
union all
select resource_id, 4, 'deleted', 'passed', 'delete', resource_version, null, null, op_id, logged_at, pod, 'log_lines:' || row_no, 'reported as deleted'
from lines
where message = 'Sending event'
  and event_type like 'status.%'
  and deleting
  and not coalesce(finalizers, false)
union all
select resource_id, 4, 'deleted', 'passed', 'delete', null, null, null, null, created_at, 'database', 'status_events:' || row_no, 'reported as deleted'
from status_events
where resource_id in (from asked) and status_event_type = 'StatusDelete'
union all
select
    resource_id,
    4,
    'held by finalizer',
    'failed',
    'delete',
    null,
    null,
    null,
    null,
    deleted_at,
    'cluster',
    evidence,
    concat_ws(' ', kind, concat_ws('/', namespace, name)) || ' carries finalizer '
        || array_to_string(json_extract_string(finalizers, '$[*]'), ', ') || '; the agent waits for it to go'
from own
where seen_in = 'object' and deleted_at is not null and json_array_length(finalizers) > 0
union all
select
    resource_id,
    4,
    'deleting',
    'tried',
    'delete',
    null,
    null,
    null,
    null,
    deleted_at,
    'cluster',
    'applied_manifest_works:' || row_no,
    'the AppliedManifestWork is being deleted since ' || strftime(deleted_at, '%H:%M:%S') || ' and still lists '
        || array_to_string(
            list_transform(
                json_extract(applied_resources, '$[*]'),
                lambda resource: concat_ws(
                    ' ',
                    json_extract_string(resource, '$.resource'),
                    concat_ws('/', nullif(json_extract_string(resource, '$.namespace'), ''), json_extract_string(resource, '$.name'))
                )
            ),
            ', '
        )
from applied_works
where resource_id in (from asked) and deleted_at is not null and json_array_length(applied_resources) > 0
order by resource_id, "at", evidence
