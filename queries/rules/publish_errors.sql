-- title: A server or an agent could not publish
-- severity: warning
-- means: What was to be sent was not: specs by servers, statuses by agents. Both try again, with growing pauses.
-- comes about: The connection to the broker is down, or the broker refuses.
-- check: connections at that time, and the rights of the client at the broker
-- next: dacapo query BUNDLE known-errors kind=publish
-- needs: log_lines
-- nothing: there is no log of a server or an agent
-- views: troubled
-- explains: spec_event_unreconciled, status_missing, delete_stuck, undelivered_delete
select answer, severity, work, consumer, place, "at", text, shares, evidence, cause
from troubled
where kind = 'publish'
order by place, consumer
