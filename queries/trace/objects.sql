-- title: Objects of the clusters that have one of these names or are owned by one of these AppliedManifestWorks
-- parameters: names, applied_works
-- tables: kube_objects, manifest_works
-- only with: kube_objects, manifest_works
-- Names stand with spaces between them. One that was taken several times counts as it was last.
with objects as (
    select
        cluster,
        api_version,
        kind,
        namespace,
        name,
        uid,
        created_at,
        deleted_at,
        finalizers,
        applied_works,
        object,
        row_no,
        'kube_objects' as table_name
    from kube_objects
    union all
    select
        cluster,
        coalesce(json_extract_string(document, '$.apiVersion'), 'work.open-cluster-management.io/v1'),
        'ManifestWork',
        namespace,
        name,
        uid,
        created_at,
        deleted_at,
        json_extract(document, '$.metadata.finalizers'),
        applied_works,
        object,
        row_no,
        'manifest_works'
    from (select *, case when json_valid(object) then object end as document from manifest_works)
)
select
    cluster,
    api_version,
    kind,
    namespace,
    name,
    uid,
    created_at,
    deleted_at,
    finalizers,
    applied_works,
    object,
    table_name || ':' || row_no as evidence
from objects
where list_contains(string_split($1, ' '), name)
   or list_has_any(string_split(applied_works, ' '), string_split($2, ' '))
qualify row_number() over (
    partition by cluster, split_part(api_version, '/', 1), kind, namespace, name
    order by
        case when json_valid(object) then try_cast(json_extract_string(object, '$.metadata.resourceVersion') as bigint) end
            desc nulls last,
        row_no desc
) = 1
order by kind, namespace, name, cluster, row_no
