-- title: Which clusters belong to which consumer: an agent's log says so, or what was applied there for it
-- tables: coverage, applied_manifest_works, resources
create or replace temp table served as
select distinct consumer, cluster
from coverage
where component = 'agent' and cluster is not null and consumer is not null
union
select distinct resources.consumer_name, works.cluster
from applied_manifest_works as works
join resources on resources.id = works.manifest_work_name
where works.cluster is not null;
