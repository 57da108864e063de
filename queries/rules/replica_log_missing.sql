-- title: The log of a replica or an agent is not in the bundle
-- severity: info
-- means: What it did cannot be seen: hops that only it could show are unknown rather than missing.
-- comes about: The log was not handed over, was refused, or the pod is gone.
-- check: hand over the log of that pod too, or ask for it before it is rotated away
-- next: dacapo inspect BUNDLE lists the logs
-- needs: server_instances
-- nothing: which replicas and agents there are is not in the bundle
-- views: expected
select
    case when there then 'clear' else 'found' end as answer,
    null as severity,
    null as work,
    consumer,
    place,
    "at",
    'no log of ' || what as text,
    component as shares,
    evidence,
    null as cause
from expected
order by what, evidence
