-- title: A server refused a request
-- severity: warning
-- means: The server received it and said no. Nothing of it is stored; the work stays as it was.
-- comes about: The consumer does not exist, the work exists already, or the version it named is not the latest. The server logs no
--   reason; only the client is told.
-- check: the error that the client was given
-- check: the name of the consumer against the consumers table
-- next: dacapo trace BUNDLE WORK shows what was refused, and why as far as it is known
-- views: requests, alike
select
    case when outcome = 'refused' then 'found' when unsure_at <= 2 then 'unknown' else 'clear' end as answer,
    -- The client was told at once; where the work is well otherwise, nothing waits.
    case when not newest or bool_or(outcome = 'completed') over (partition by resource_id) then 'info' end as severity,
    resource_id as work,
    consumer,
    null as place,
    requested_at as "at",
    request || ' v' || version || ' of ' || coalesce(work_name, resource_id) || coalesce(': ' || coalesce(cause, why), '') as text,
    alike(coalesce(cause, why), consumer) as shares,
    evidence,
    cause_evidence as cause
from requests
order by work, requested_at, version
