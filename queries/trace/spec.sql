-- title: What a work asks for, as the database has it, from the best source that is left
-- parameters: resource_id
-- tables: resources, status_events
-- views: specs
select
    case rank when 1 then 'row' else 'status_delete' end as source,
    work_name,
    version,
    manifests,
    manifest_configs,
    delete_option,
    evidence
from specs
where resource_id = $1
order by rank, version desc nulls last, stored_at desc nulls last, row_no
