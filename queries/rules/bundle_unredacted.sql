-- title: The bundle is not redacted
-- severity: info
-- means: Secrets and tokens of the evidence stand in the file as they were.
-- comes about: It was collected with --no-redact, or by a version that could not redact.
-- check: who may have this file
-- next: dacapo inspect BUNDLE
-- tables: collection
-- views: bundle
select
    case when redacted then 'clear' else 'found' end as answer,
    null as severity,
    null as work,
    null as consumer,
    null as place,
    null::timestamp as "at",
    'whatever Secrets and tokens the evidence has are in it' as text,
    null as shares,
    null as evidence,
    null as cause
from bundle
order by answer
