-- title: Objects that the loaded works ask for or list, and that are not loaded
-- tables: resources, status_events, applied_manifest_works, kube_objects, manifest_works
-- views: specs
-- What nobody asks for by name is known by its uid.
with objects as (
    select kind, namespace, name, uid from kube_objects
    union all
    select 'ManifestWork', namespace, name, uid from manifest_works
),
asked as (
    select
        json_extract_string(manifest, '$.kind') as kind,
        json_extract_string(manifest, '$.metadata.namespace') as namespace,
        json_extract_string(manifest, '$.metadata.name') as name
    from (select unnest(json_extract(manifests, '$[*]')) as manifest from specs)
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
from asked
where name is not null
  and kind is not null
  and not exists (
      select 1
      from objects
      where objects.kind = asked.kind
        and objects.namespace is not distinct from asked.namespace
        and objects.name = asked.name
  )
union
select distinct uid, null, null
from listed
where uid is not null and not exists (select 1 from objects where objects.uid = listed.uid)
order by key, kind, namespace
