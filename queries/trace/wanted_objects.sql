-- title: Objects that the loaded works ask for or list, and that are not loaded
-- tables: resources, status_events, log_lines, coverage, applied_manifest_works, kube_objects, manifest_works
-- views: specs, applied_works
-- What nobody asks for by name is known by its uid. An object of the same name may be another work's, in another cluster.
with objects as (
    select kind, namespace, name, uid, applied_works from kube_objects
    union all
    select 'ManifestWork', namespace, name, uid, applied_works from manifest_works
),
held as (
    select applied_works.resource_id, objects.kind, objects.namespace, objects.name
    from (select *, unnest(string_split(applied_works, ' ')) as applied_work from objects) as objects
    join applied_works on applied_works.name = objects.applied_work
),
asked_for as (
    select
        resource_id,
        json_extract_string(manifest, '$.kind') as kind,
        json_extract_string(manifest, '$.metadata.namespace') as namespace,
        json_extract_string(manifest, '$.metadata.name') as name
    from (select resource_id, unnest(json_extract(manifests, '$[*]')) as manifest from specs)
),
listed as (
    select json_extract_string(resource, '$.uid') as uid
    from (
        select unnest(json_extract(applied_resources, '$[*]')) as resource
        from applied_manifest_works
        where json_valid(applied_resources)
    )
)
select distinct name as key, kind, namespace
from asked_for
where name is not null
  and kind is not null
  and not exists (
      select 1
      from held
      where held.resource_id = asked_for.resource_id
        and held.kind = asked_for.kind
        and held.namespace is not distinct from asked_for.namespace
        and held.name = asked_for.name
  )
union
select distinct uid, null, null
from listed
where uid is not null and not exists (select 1 from objects where objects.uid = listed.uid)
order by key, kind, namespace
