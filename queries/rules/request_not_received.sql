-- title: Maestro server does not receive the spec request
-- severity: error
-- means: A client made a request, and no server ever got it: nothing is stored, nothing will happen.
-- comes about: The client's gRPC connection is down or blocked; often its look-ups over REST still go through, so that its operation id
--   is found on a server all the same.
-- check: is there a gRPC publish error in the client ("Failed to publish resource", reason PublishError)?
-- next: dacapo trace BUNDLE WORK shows the nine hops with their evidence
-- needs: log_lines
-- nothing: there is no log of a client, and what never arrived leaves no other trace
-- tables: coverage
-- views: newest
-- Only clients tell of what never arrived, so their logs are what is looked at.
select 'found' as answer, null as severity, work, consumer, place, "at", text, shares, evidence, cause
from newest
where stops_at = 1 and outcome <> 'refused'
union all
select
    case when blind is null then 'clear' else 'unknown' end,
    null,
    null,
    null,
    coalesce(pod, file),
    first_at,
    'the log of ' || coalesce(pod, file) || ' may lack lines: ' || blind,
    null,
    'coverage:' || row_no,
    null
from coverage
where component = 'client'
order by answer, work, place
