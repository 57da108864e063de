-- title: What a work asks for, as the database has it
-- parameters: resource_id
-- tables: resources, status_events
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
order by evidence
