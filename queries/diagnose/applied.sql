-- title: AppliedManifestWorks of Maestro's agents, with the resource that each belongs to
-- tables: applied_manifest_works, manifest_works, resources, coverage
-- views: served
-- Agents before 2026-01-14 name it after the work, whose name counts in its own cluster only. One of a ManifestWork in the
-- cluster belongs to another agent.
create or replace temp table applied as
select
    coalesce(named.id, works.manifest_work_name) as resource_id,
    named.id is not null or regexp_matches(works.manifest_work_name, '^[0-9a-f-]{36}$') as is_told,
    'applied_manifest_works:' || works.row_no as evidence,
    works.name,
    works.cluster,
    works.hub_hash,
    works.created_at,
    works.deleted_at,
    works.eviction_started_at,
    works.applied_resources
from applied_manifest_works as works
left join served on served.cluster = works.cluster and not regexp_matches(works.manifest_work_name, '^[0-9a-f-]{36}$')
left join resources as named on named.work_name = works.manifest_work_name and named.consumer_name = served.consumer
where not exists (
    select 1
    from manifest_works as others
    where others.name = works.manifest_work_name and others.cluster is not distinct from works.cluster
);
