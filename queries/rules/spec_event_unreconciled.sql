-- title: Maestro server does not publish the spec request
-- severity: error
-- means: The request is stored, and its event is not reconciled: it never reached the broker.
-- comes about: The servers are without broker; the notification was lost while a replica did not listen; with the gRPC broker, no agent
--   of the consumer is connected.
-- check: is reconciled_date of its event null? (dacapo query BUNDLE spec-events id=…)
-- check: are there "Failed to publish resource" or "recreate the listener" lines around its creation?
-- next: dacapo trace BUNDLE WORK shows the nine hops with their evidence
-- views: newest
select
    case when stops_at = 2 then 'found' when unsure_at <= 2 then 'unknown' else 'clear' end as answer,
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
where outcome <> 'refused' and coalesce(stops_at, 9) >= 2 and request <> 'delete'
order by work
