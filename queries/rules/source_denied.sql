-- title: A source could not be read, or not to its end
-- severity: warning
-- means: The bundle lacks what was asked for. Verdicts that need it say "unknown".
-- comes about: A permission is missing, a request took too long, a file is cut or is not what its name says.
-- check: dacapo collect --check lists missing permissions and what grants them
-- next: dacapo inspect BUNDLE
-- tables: collection
select
    case when outcome in ('ok', 'left out') then 'clear' else 'found' end as answer,
    -- What a system does not have cannot be read.
    case when outcome = 'not found' then 'info' end as severity,
    null as work,
    null as consumer,
    source as place,
    started_at as "at",
    target || ': ' || outcome || coalesce(': ' || error, '') as text,
    outcome as shares,
    'collection:' || row_no as evidence,
    null as cause
from collection
order by row_no
