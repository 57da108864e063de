-- title: Status feedback that a work asks for does not come
-- severity: warning
-- means: The object is applied and available, and the values that the work asks to be told are not in its status.
-- comes about: A value is longer than the agent allows, a path does not exist in the object, or the rule is wrong.
-- check: the StatusFeedbackSynced condition of the manifest
-- next: dacapo query BUNDLE conditions-of id=…
-- needs: resources
-- tables: resources, status_events
-- views: newest
-- follows: apply_failed
with synced as (
    select *
    from conditions
    where type = 'StatusFeedbackSynced' and evidence like 'resources:%'
),
asking as (
    select distinct resource_id
    from stored
    where evidence like 'resources:%'
      and len(json_extract(spec, '$.data.manifestConfigs[*].feedbackRules[*]')) > 0
)
select
    case when synced.status = 'False' then 'found' when synced.status is null then 'unknown' else 'clear' end as answer,
    null as severity,
    newest.work,
    newest.consumer,
    null as place,
    synced.changed_at as "at",
    case
        when synced.status is null then 'no status of what the work asks to be told is in the bundle'
        else coalesce(synced.kind || ' ', '') || coalesce(synced.namespace || '/', '') || coalesce(synced.name, '') || ': '
            || coalesce(nullif(synced.message, ''), synced.reason, 'StatusFeedbackSynced is ' || synced.status)
    end as text,
    regexp_replace(coalesce(nullif(synced.message, ''), synced.reason), '"[^"]*"', '"…"', 'g') as shares,
    synced.evidence,
    null as cause
from newest
left join synced on synced.resource_id = newest.work
left join asking on asking.resource_id = newest.work
where newest.deleted_at is null
  and newest.request <> 'delete'
  and (synced.status is not null or asking.resource_id is not null and newest.outcome in ('completed', 'unknown'))
order by newest.work, synced.kind, synced.namespace, synced.name
