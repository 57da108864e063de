-- title: Maestro server does not broadcast the status update request
-- severity: error
-- means: A status is stored, and not every replica that was there told its clients: those of the silent one do not know.
-- comes about: A replica hangs or died without a word, or did not listen to the database when the status event was made.
-- check: event_instances of the status event against the replicas (dacapo query BUNDLE status-events id=…)
-- next: dacapo trace BUNDLE WORK shows the nine hops with their evidence
-- views: newest
select
    case when stops_at = 8 then 'found' when unsure_at <= 8 then 'unknown' else 'clear' end as answer,
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
where outcome <> 'refused' and coalesce(stops_at, 9) >= 8
order by work
