-- title: Maestro agent does not handle the spec request
-- severity: error
-- means: The agent has the request and did not apply all of its manifests. It tries again, with growing pauses.
-- comes about: The API server refuses a manifest: invalid, forbidden, its kind is unknown, a field belongs to somebody else; or the agent ended
--   before it was done.
-- check: the words of the API server, which are those of the finding
-- check: the Applied conditions of the manifests (dacapo query BUNDLE conditions-of id=…)
-- next: dacapo trace BUNDLE WORK shows the nine hops with their evidence
-- views: newest
select
    case when stops_at = 4 then 'found' when unsure_at <= 4 then 'unknown' else 'clear' end as answer,
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
where outcome <> 'refused' and coalesce(stops_at, 9) >= 4 and request <> 'delete'
order by work
