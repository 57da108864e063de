-- title: Timeline: what happened, from every source, in one table
-- answers: what happened around a time or to a work; order it by happened_at
-- tables: resources, events, status_events, applied_manifest_works, kube_events, log_lines
-- column happened_at: When, by the clock of whoever wrote it.
-- column source: `database`, `cluster` or `log`.
-- column cluster: Cluster, where it is known.
-- column place: Pod of a log, or table of the database.
-- column resource_id: The resource it is about, where that is known.
-- column level: Level of a log line, type of a Kubernetes Event.
-- column what: What happened; for a log line its message.
-- column evidence: The row it stands in.
create view timeline as
select
    created_at as happened_at,
    'database' as source,
    null::varchar as cluster,
    'resources' as place,
    id as resource_id,
    null::varchar as level,
    'row created' as what,
    'resources:' || row_no as evidence
from resources
where created_at is not null
union all
select updated_at, 'database', null, 'resources', id, null, 'row written last, version ' || version, 'resources:' || row_no
from resources
where updated_at is distinct from created_at and updated_at is not null
union all
select deleted_at, 'database', null, 'resources', id, null, 'delete asked for', 'resources:' || row_no
from resources
where deleted_at is not null
union all
select created_at, 'database', null, 'events', source_id, null, event_type || ' stored', 'events:' || row_no
from events
where created_at is not null
union all
select reconciled_date, 'database', null, 'events', source_id, null, event_type || ' reconciled', 'events:' || row_no
from events
where reconciled_date is not null
union all
select
    created_at, 'database', null, 'status_events', resource_id, null, status_event_type || ' stored', 'status_events:' || row_no
from status_events
where created_at is not null
union all
select
    created_at,
    'cluster',
    cluster,
    'applied_manifest_works',
    manifest_work_name,
    null,
    'AppliedManifestWork created',
    'applied_manifest_works:' || row_no
from applied_manifest_works
where created_at is not null
union all
select
    coalesce(last_at, first_at),
    'cluster',
    cluster,
    'kube_events',
    null,
    type,
    concat_ws(' ', object_kind, object_name, reason, message),
    'kube_events:' || row_no
from kube_events
where coalesce(last_at, first_at) is not null
union all
select logged_at, 'log', cluster, pod, resource_id, level, coalesce(message, text), 'log_lines:' || row_no
from log_lines
where logged_at is not null;
