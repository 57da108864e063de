-- title: Replicas and agents whose log should be in the bundle
-- tables: server_instances, consumers
-- views: logs, requests
-- Replicas that were replaced long ago have nothing to tell, and neither have agents without a work.
create or replace temp table expected as
select
    'server' as component,
    server_instances.id as place,
    null as consumer,
    'replica ' || server_instances.id as what,
    server_instances.last_heartbeat as "at",
    'server_instances:' || server_instances.row_no as evidence,
    exists (
        select 1
        from logs
        where logs.component = 'server' and (logs.pod = server_instances.id or 'maestro-' || logs.pod = server_instances.id)
    ) as there
from server_instances
where (select max(last_heartbeat) from server_instances) - server_instances.last_heartbeat < interval 10 minutes
union all
select
    'agent',
    null,
    consumers.name,
    'the agent of ' || consumers.name,
    null,
    'consumers:' || consumers.row_no,
    exists (select 1 from logs where logs.component = 'agent' and logs.consumer = consumers.name)
from consumers
where exists (select 1 from requests where requests.newest and requests.consumer = consumers.name);
