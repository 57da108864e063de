-- title: A process logs too little
-- severity: info
-- means: Below -v=2 nothing is printed when messages are sent and received: that a line is not there says nothing.
-- comes about: klogV of the chart, or -v of the process, is 0 or 1.
-- check: set -v=2 before the next incident
-- next: dacapo inspect BUNDLE shows the verbosity of each log
-- needs: log_lines
-- nothing: there is no log of a server or an agent
-- tables: coverage
-- views: logs, requests
-- A process that had nothing to do shows no such line either, whatever its verbosity.
with judged as (
    select
        logs.*,
        logs.verbosity < 2 as low,
        coverage.configured_verbosity < 2
            or exists (
                select 1
                from requests
                where requests.requested_at between logs.first_at and logs.last_at
                  and (logs.component = 'server' or logs.consumer is null or requests.consumer = logs.consumer)
            ) as is_told
    from logs
    join coverage on coverage.row_no = logs.row_no
)
select
    case when not low then 'clear' when blind is not null or is_told is distinct from true then 'unknown' else 'found' end as answer,
    null as severity,
    null as work,
    consumer,
    pod as place,
    first_at as "at",
    component || ' ' || pod || ' shows no line of verbosity 2'
        || case when blind is not null or is_told is distinct from true then ', and had nothing to print at it' else '' end as text,
    component as shares,
    evidence,
    null as cause
from judged
order by row_no
