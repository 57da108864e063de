-- title: A delete did not reach the agent
-- severity: error
-- means: The work is marked as deleted, and its agent does not know: the objects stay.
-- comes about: The agent is down or under another name; the servers are without broker; after ten attempts a sweep puts the event away.
-- check: does the agent run and serve this consumer? it asks for all its works when it comes back
-- check: "Retired stale delete events" in the server logs
-- next: dacapo trace BUNDLE WORK shows the nine hops with their evidence
-- views: newest
select
    case when stops_at in (2, 3) then 'found' when unsure_at <= 3 then 'unknown' else 'clear' end as answer,
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
where request = 'delete' and outcome <> 'refused' and coalesce(stops_at, 9) >= 2
order by work
