-- title: ManifestWorks on management clusters
-- answers: the ManifestWorks that clusters hold, by label or all of them
-- parameter label =: As KEY=VALUE; all without it
-- with label=api.openshift.com/id=… instead of: kubectl get manifestwork -l "api.openshift.com/id=<id>" -n local-cluster
-- tables: manifest_works
with held as (
    select
        *,
        map_entries(
            json_extract(case when json_valid(object) then object end, '$.metadata.labels')::map(varchar, varchar)
        ) as labels
    from manifest_works
)
select cluster, namespace, name, created_at, deleted_at, applied_works, 'manifest_works:' || row_no as evidence
from held
where $label = '' or list_contains(list_transform(labels, lambda pair: pair.key || '=' || pair.value), $label)
order by cluster, namespace, name, row_no;
