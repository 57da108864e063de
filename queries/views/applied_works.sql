-- title: AppliedManifestWorks with the resource that each belongs to
-- tables: applied_manifest_works, manifest_works, coverage, resources, status_events, log_lines
-- views: named_works
-- shape: resource_id varchar, row_no bigint, cluster varchar, name varchar, created_at timestamp,
--   deleted_at timestamp, eviction_started_at timestamp, hub_hash varchar, applied_resources varchar, object varchar
-- One is named after the resource or, by agents before 2026-01-14, after the work, whose name counts in its own
-- cluster only. An agent's log says whose cluster it is; where none does, the name must not be in several. A ManifestWork
-- in the cluster may have the same name: its AppliedManifestWork is another agent's, and lacks the mark of Maestro's.
with served as (
    select distinct cluster, consumer
    from coverage
    where component = 'agent' and cluster is not null and consumer is not null
),
marked as (
    select
        row_no,
        cluster,
        manifest_work_name,
        hub_hash,
        case
            when json_valid(object)
                then json_extract_string(object, '$.metadata.labels."cloudevents.open-cluster-management.io/originalsource"')
        end is not null as by_maestro
    from applied_manifest_works
),
candidates as (
    select named_works.resource_id, named_works.consumer, works.*
    from marked as works
    join named_works on works.manifest_work_name = named_works.work_name
    where by_maestro
       or not exists (
           select 1
           from manifest_works as others
           where others.name = works.manifest_work_name and others.cluster is not distinct from works.cluster
       )
       and not exists (
           select 1
           from applied_manifest_works as others
           where others.manifest_work_name = named_works.resource_id
             and others.cluster is not distinct from works.cluster
             and others.hub_hash is distinct from works.hub_hash
       )
),
named as (
    select distinct works.resource_id, works.row_no
    from candidates as works
    where exists (
        select 1 from served where served.cluster = works.cluster and served.consumer = works.consumer
    )
    or not exists (
        select 1 from served where served.cluster = works.cluster or served.consumer = works.consumer
    )
    and not exists (
        select 1
        from candidates as others
        where others.manifest_work_name = works.manifest_work_name and others.cluster is distinct from works.cluster
    )
)
select
    manifest_work_name as resource_id,
    row_no,
    cluster,
    name,
    created_at,
    deleted_at,
    eviction_started_at,
    hub_hash,
    applied_resources,
    object
from applied_manifest_works
union all
select
    named.resource_id,
    row_no,
    cluster,
    name,
    created_at,
    deleted_at,
    eviction_started_at,
    hub_hash,
    applied_resources,
    object
from applied_manifest_works
join named using (row_no)
