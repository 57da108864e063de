-- title: Logs of servers and agents, and how long each goes on
-- tables: coverage
create or replace temp table logs as
select
    row_no,
    'coverage:' || row_no as evidence,
    component,
    coalesce(pod, file) as pod,
    cluster,
    consumer,
    first_at,
    last_at,
    previous,
    shutdown_at,
    silent_from,
    silent_to,
    until,
    coalesce(blind, case when plain > entries / 2 then 'most of it is in a format that is not read' end) as blind,
    greatest(verbosity, configured_verbosity) as verbosity
from coverage
where component in ('server', 'agent');
