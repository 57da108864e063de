-- title: Hop 4: the agent applied the manifests, or removed them
-- tables: resources, status_events, log_lines, coverage, applied_manifest_works
-- views: asked, work_conditions, manifest_conditions, agent_lines
-- An apply line is an attempt. The Applied condition tells the outcome; a refusal by the API server is also
-- in the agent's log, except for server-side-apply conflicts.
with refused_manifests as not materialized (
    select
        resource_id,
        string_agg(
            concat_ws(' ', kind, concat_ws('/', namespace, name)) || ': ' || message, '; ' order by kind, namespace, name
        ) as about
    from manifest_conditions
    where type = 'Applied' and status = 'False'
    group by resource_id
),
lines as not materialized (
    select
        resource_id,
        row_no,
        pod,
        logged_at,
        error,
        resource_version,
        op_id,
        object_name,
        case
            when message = 'Requeue manifestwork' then 'reconciled'
            when message in ('failed to decode spec', 'failed to handle spec event') then 'decode'
            when message in ('Patching resource', 'Noop because its read-only') then 'owner set'
            when message = 'Sending event' and event_type like 'status.%' and deleting and not coalesce(finalizers, false)
                then 'deleted'
            when message = 'controller failed to sync'
             and error not like '%Failed to publish resource%'
             -- Two controllers met in the agent's memory; it tries again within milliseconds.
             and error not like '%the resource version of the work is outdated%'
             and not regexp_matches(error, 'manifestworks\.work\.open-cluster-management\.io .* not found')
                then 'sync'
        end as step
    from agent_lines
    semi join asked using (resource_id)
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
semi join asked using (resource_id)
left join refused_manifests using (resource_id)
where type = 'Applied' and conditions.status in ('True', 'False')
union all
select
    resource_id,
    4,
    step,
    case when step = 'deleted' then 'passed' when step in ('sync', 'decode') then 'failed' else 'tried' end,
    case step when 'deleted' then 'delete' end,
    case step when 'deleted' then resource_version end,
    null,
    null,
    case step when 'deleted' then op_id end,
    logged_at,
    pod,
    'log_lines:' || row_no,
    case step when 'deleted' then 'reported as deleted' when 'owner set' then object_name when 'reconciled' then null else error end
from lines
where step is not null
union all
select resource_id, 4, 'deleted', 'passed', 'delete', null, null, null, null, created_at, 'database', 'status_events:' || row_no, 'reported as deleted'
from status_events
semi join asked using (resource_id)
where status_event_type = 'StatusDelete'
order by resource_id, "at", evidence
