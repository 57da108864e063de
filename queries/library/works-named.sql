-- title: Works by name, or by a part of it
-- answers: the resource id, consumer, versions and times of every work whose name has this in it, newest first
-- parameter name =: The name or a part of it; all works without it
-- parameter most = 100: How many works at the most
-- with name=… instead of: SELECT … FROM resources WHERE payload->'metadata'->>'name' = '<work_name>'
-- with name=… instead of: SELECT … FROM resources WHERE payload->'metadata'->>'name' LIKE '%{partial_name}%' ORDER BY created_at DESC LIMIT 10
-- tables: resources, applied_manifest_works
select resource_id, work_name, consumer, source, version, observed_version, created_at, updated_at, deleted_at, evidence
from works
where contains(lower(coalesce(work_name, '')), lower($name))
order by created_at desc nulls last, resource_id
limit try_cast($most as bigint);
