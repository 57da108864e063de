-- title: Maestro server does not publish the status update request
-- severity: error
-- means: The status is stored and broadcast, and no client of the source was there to get it.
-- comes about: The client disconnected before the status came, or was connected to a replica that died.
-- check: "no clients registered on this instance", "unregistered broadcaster client", "failed to send heartbeat"
-- next: dacapo trace BUNDLE WORK shows the nine hops with their evidence
-- views: newest, hops
-- A request completed also where nobody can tell whether its client heard of it.
select
    case when stops_at = 9 then 'found' when unsure_at <= 9 or hops.verdict = 'unknown' then 'unknown' else 'clear' end as answer,
    null as severity,
    newest.work,
    newest.consumer,
    newest.place,
    newest."at",
    case when stops_at is null and hops.verdict = 'unknown' then coalesce(hops.why, newest.text) else newest.text end as text,
    newest.shares,
    newest.evidence,
    newest.cause
from newest
join hops on hops.resource_id = newest.work and hops.newest and hops.hop = 9
where newest.outcome <> 'refused' and coalesce(newest.stops_at, 9) = 9
order by newest.work
