-- title: Which logs there are, and what each covers
-- tables: coverage
select
    component,
    coalesce(pod, file) as pod,
    cluster,
    first_at,
    last_at,
    previous,
    greatest(verbosity, configured_verbosity) as verbosity,
    coalesce(blind, case when plain > entries / 2 then 'most of it is in a format that is not read' end) as blind,
    until,
    server_side_applies > 0 as server_side,
    consumer,
    shutdown_at,
    'coverage:' || row_no as evidence
from coverage
order by component, pod, first_at, evidence
