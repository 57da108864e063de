-- title: What the clusters say about a work, and when
-- parameters: resource_id
-- tables: applied_manifest_works, manifest_works, kube_objects, kube_events, coverage, resources, status_events, events, log_lines
-- views: named_works, applied_works, agent_lines, manifests
-- Kubernetes gives whole seconds, rounded down. Within its second such a time stands behind the delivery, or behind the rows
-- that the request made, because it cannot have been earlier.
with works as (
    select * from applied_works where resource_id = $1
),
objects as (
    select distinct kind, namespace, name, created_at, deleted_at, evidence
    from manifests
    where resource_id = $1 and seen_in = 'object'
),
wanted as (
    select distinct kind, namespace, name from manifests where resource_id = $1 and seen_in in ('payload', 'object')
),
clusters as (
    select cluster from works
    union
    select coverage.cluster
    from coverage
    join named_works using (consumer)
    where coverage.component = 'agent' and named_works.resource_id = $1
),
told as (
    select * from kube_events as told
    where cluster in (select cluster from clusters)
      and exists (
          select 1
          from wanted
          where wanted.kind = told.object_kind
            and wanted.name = told.object_name
            and coalesce(wanted.namespace, told.namespace) is not distinct from told.namespace
      )
),
rows as (
    select cluster, created_at as happened_at, 44 as rank, 'AppliedManifestWork created' as what, 'applied_manifest_works:' || row_no as evidence
    from works
    union all
    select cluster, deleted_at, 44, 'AppliedManifestWork to be deleted', 'applied_manifest_works:' || row_no
    from works
    where deleted_at is not null
    union all
    select cluster, eviction_started_at, 44, 'AppliedManifestWork to be evicted', 'applied_manifest_works:' || row_no
    from works
    where eviction_started_at is not null
    union all
    select held.cluster, objects.created_at, 46, concat_ws(' ', objects.kind, concat_ws('/', objects.namespace, objects.name), 'created'), evidence
    from objects
    join kube_objects as held on 'kube_objects:' || held.row_no = evidence
    union all
    select held.cluster, objects.deleted_at, 46, concat_ws(' ', objects.kind, concat_ws('/', objects.namespace, objects.name), 'to be deleted'), evidence
    from objects
    join kube_objects as held on 'kube_objects:' || held.row_no = evidence
    where objects.deleted_at is not null
    union all
    select cluster, created_at, 46, concat_ws(' ', 'ManifestWork', concat_ws('/', namespace, name), 'created'), 'manifest_works:' || row_no
    from manifest_works
    where list_has_any(string_split(applied_works, ' '), (select list(name) from works))
    union all
    select
        cluster,
        first_at,
        48,
        concat_ws(': ', concat_ws(' ', type, reason, object_kind, concat_ws('/', namespace, object_name)), message),
        'kube_events:' || row_no
    from told
    union all
    select
        cluster,
        last_at,
        48,
        concat_ws(' ', type, reason, object_kind, concat_ws('/', namespace, object_name)) || ', seen ' || count || ' times',
        'kube_events:' || row_no
    from told
    where last_at > first_at
),
earlier as (
    select 1 as strength, logged_at as known_at from agent_lines where resource_id = $1 and message = 'Received event'
    union all
    select 2, created_at from events where source_id = $1
    union all
    select 2, created_at from resources where id = $1
)
select
    happened_at as "at",
    coalesce(
        (
            select arg_min(known_at, (strength, known_at))
            from earlier
            where epoch_us(known_at)::hugeint - epoch_us(happened_at) between 0 and 999999
        ),
        happened_at
    ) as order_at,
    rank,
    'cluster' as source,
    cluster,
    cluster as place,
    what,
    if(evidence like 'kube_events:%', 'object', 'id') as matched_by,
    null as op_id,
    evidence,
    null as text
from rows
order by order_at, rank, evidence
