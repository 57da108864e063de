-- title: Works by label
-- answers: the works of which the work itself or a manifest has this label
-- parameter label: As KEY=VALUE, or the value alone
-- with label=api.openshift.com/id=… instead of: curl …/resource-bundles --data-urlencode "search=payload->'metadata'->'labels'->>'api.openshift.com/id'='<id>'"
-- tables: resources
select
    id as resource_id, work_name, consumer_name as consumer, created_at, updated_at, deleted_at, 'resources:' || row_no as evidence
from resources
where len(
    list_filter(
        string_split(coalesce(label_pairs, ''), ' '),
        lambda pair: pair = $label or (pair <> '' and substr(pair, strpos(pair, '=') + 1) = $label)
    )
) > 0
order by created_at nulls last, resource_id;
