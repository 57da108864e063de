-- title: Consumers whose cluster was asked for all its AppliedManifestWorks
-- tables: collection
-- views: served, collected_tables
create or replace temp table looked_into as
select distinct served.consumer
from served
join collected_tables
    on collected_tables.table_name = 'applied_manifest_works' and collected_tables.cluster is not distinct from served.cluster;
