-- title: Logs: what each covers
-- answers: which pods there are logs of, from when to when, at which verbosity
-- tables: coverage
select
    cluster, pod, container, component, first_at, last_at, entries, verbosity, blind, shutdown_at, 'coverage:' || row_no as evidence
from coverage
order by component, cluster, pod, first_at nulls last, row_no;
