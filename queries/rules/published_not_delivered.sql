-- title: Maestro agent does not receive the spec request
-- severity: error
-- means: The broker took the request, and the agent of the consumer did not get it. MQTT forgets what it cannot deliver: it comes again
--   only when the agent asks for all its works after a restart or a lost connection.
-- comes about: The agent is down, is without broker, or runs under another consumer name.
-- check: does the agent run, is it connected, and does it serve this consumer (--consumer-name)?
-- next: dacapo trace BUNDLE WORK shows the nine hops with their evidence
-- views: newest
select
    case when stops_at = 3 then 'found' when unsure_at <= 3 then 'unknown' else 'clear' end as answer,
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
where outcome <> 'refused' and coalesce(stops_at, 9) >= 3 and request <> 'delete'
order by work
