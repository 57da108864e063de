-- title: Maestro server does not handle the status update request
-- severity: error
-- means: A status reached the servers, and none of them stored it.
-- comes about: The database refuses; the status cannot be decoded; with broadcast subscription the replica that owns the consumer is dead, and the
--   others skip.
-- check: "failed to handle status event", "unmatched consumer name" and SQLSTATE in the server logs
-- check: with --subscription-type=broadcast exactly one replica must handle it
-- next: dacapo trace BUNDLE WORK shows the nine hops with their evidence
-- views: newest
select
    case when stops_at = 7 then 'found' when unsure_at <= 7 then 'unknown' else 'clear' end as answer,
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
where outcome <> 'refused' and coalesce(stops_at, 9) >= 7
order by work
