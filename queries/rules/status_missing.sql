-- title: The servers have no status of what an agent applied
-- severity: error
-- means: The agent received and handled the request, and its report did not come: the client sees an old status, or none.
-- comes about: The agent is without broker or ended before it reported; the servers were without broker when the report came; a replica hangs
--   over another status.
-- check: "Failed to publish resource" in the agent log, connections of the servers (dacapo query BUNDLE broker-connections)
-- check: a status that is lost comes again with the next change, or with a status resync
-- next: dacapo trace BUNDLE WORK shows the nine hops with their evidence
-- views: newest
select
    case when stops_at in (5, 6) then 'found' when unsure_at <= 6 then 'unknown' else 'clear' end as answer,
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
where outcome <> 'refused' and coalesce(stops_at, 9) >= 5 and request <> 'delete'
order by work
