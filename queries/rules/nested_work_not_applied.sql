-- title: A ManifestWork that a work carries is not applied in its own cluster
-- severity: warning
-- means: The outer work went through: the inner ManifestWork is there. What the inner one asks for is not.
-- comes about: The agent of the inner cluster is away, or its API server refuses the manifests.
-- check: conditions of the inner ManifestWork, and the agent that serves its namespace
-- next: dacapo query BUNDLE manifest-works
-- needs: manifest_works
-- tables: manifest_works
-- views: bundle, newest
-- One that was made a moment ago may wait for its agent.
with inner_works as (
    select
        *,
        regexp_replace(string_split(applied_works, ' ')[1], '^[0-9a-f]{64}-', '') as owner,
        case when json_valid(object) then json_extract(object, '$.spec.workload') end as asked,
        case when json_valid(object) then json_extract(object, '$.status.conditions[*]') end as conditions
    from manifest_works
    where applied_works is not null and applied_works <> ''
),
told as (
    select
        inner_works.*,
        list_filter(conditions, lambda c: json_extract_string(c, '$.type') = 'Applied')[1] as applied,
        bundle.taken_at - created_at < interval 1 minute as young
    from inner_works
    cross join bundle
),
judged as (
    select
        *,
        json_extract_string(applied, '$.status') as status,
        json_extract_string(applied, '$.message') as message,
        'ManifestWork ' || coalesce(namespace || '/', '') || name as label
    from told
)
select
    case
        when judged.status = 'True' then 'clear'
        when judged.asked is null or judged.applied is null and judged.young then 'unknown'
        else 'found'
    end as answer,
    null as severity,
    judged.owner as work,
    newest.consumer,
    judged.cluster as place,
    judged.created_at as "at",
    case
        when judged.asked is null then 'only the name of ' || judged.label || ' is in the bundle'
        when judged.applied is null and judged.young then judged.label || ' is younger than a minute'
        when judged.applied is null then judged.label || ' has no Applied condition: no agent has looked at it'
        else judged.label || ' is not applied: ' || coalesce(judged.message, 'Applied is ' || judged.status)
    end as text,
    concat_ws('/', judged.cluster, judged.namespace) as shares,
    'manifest_works:' || judged.row_no as evidence,
    null as cause
from judged
left join newest on newest.work = judged.owner
order by judged.row_no
