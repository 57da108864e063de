-- title: Which logs there are, and what each covers
-- tables: coverage
select
    component,
    coalesce(pod, file) as pod,
    cluster,
    first_at,
    last_at,
    previous,
    verbosity,
    plain > entries / 2 as unread,
    server_side_applies > 0 as server_side,
    consumer,
    shutdown_at,
    'coverage:' || row_no as evidence
from coverage
order by component, pod, first_at, evidence
