-- title: A message could not be understood
-- severity: warning
-- means: It was thrown away: a spec is never applied, a status never stored, and nobody is told.
-- comes about: A work without manifests, a client or an agent of another version, a broker that is shared with somebody else.
-- check: the manifests of the work; versions of client, server and agent
-- next: dacapo query BUNDLE known-errors kind=decode
-- needs: log_lines
-- nothing: there is no log of a server or an agent
-- views: troubled
-- explains: apply_failed, status_event_unhandled
select answer, severity, work, consumer, place, "at", text, shares, evidence, cause
from troubled
where kind = 'decode'
order by place, consumer
