-- title: A delete was received by the agent and does not end
-- severity: error
-- means: The objects are asked to go and do not, or nobody hears that they went. The row stays, marked as deleted.
-- comes about: An object has a finalizer that nobody removes; the agent is away since it received the delete; the report of the end is lost.
-- check: the finalizers of what the AppliedManifestWork still lists (dacapo query BUNDLE applied-resources id=…)
-- next: dacapo trace BUNDLE WORK shows the nine hops with their evidence
-- views: newest
select
    case when stops_at between 4 and 6 then 'found' when unsure_at <= 6 then 'unknown' else 'clear' end as answer,
    null as severity,
    work,
    consumer,
    place,
    "at",
    text,
    shares,
    evidence,
    cause
from newest
where request = 'delete' and outcome <> 'refused' and coalesce(stops_at, 9) >= 4
order by work
