-- title: The database refused or failed
-- severity: warning
-- means: A server could not read or write what it had to.
-- comes about: The database is down, out of connections or read-only, a statement took too long, a row is locked.
-- check: the database's own log at that time; SQLSTATE tells the kind of error
-- next: dacapo query BUNDLE known-errors kind=database
-- needs: log_lines
-- nothing: there is no log of a server
-- views: troubled
-- explains: status_event_unhandled, status_not_broadcast, spec_event_unreconciled, request_refused
select answer, severity, work, consumer, place, "at", text, shares, evidence, cause
from troubled
where kind = 'database'
order by place, consumer
