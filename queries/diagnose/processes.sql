-- title: Servers and agents, with what their logs can tell
-- tables: coverage, server_instances, consumers
-- views: logs, expected
-- Where `blind` says something, that a process does not tell of trouble means nothing.
create or replace temp table processes as
select
    component,
    pod,
    any_value(consumer) as consumer,
    min(first_at) as first_at,
    max(last_at) as last_at,
    max(shutdown_at) filter (not previous) as shutdown_at,
    max(verbosity) as verbosity,
    case when bool_and(blind is not null) then 'the log of ' || pod || ' may lack lines: ' || any_value(blind) end as blind,
    string_agg(evidence, ' ' order by row_no) as evidence
from logs
group by component, pod
union all
select
    component,
    place,
    consumer,
    null,
    null,
    null,
    null,
    'no log of ' || what || ' is in the bundle',
    evidence
from expected
where not there;
