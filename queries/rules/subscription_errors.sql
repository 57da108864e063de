-- title: A server or an agent could not subscribe
-- severity: warning
-- means: It is connected and hears nothing: specs or statuses go past it.
-- comes about: The broker refuses the topic, or the subscription was lost with a connection.
-- check: topic and rights at the broker
-- next: dacapo query BUNDLE known-errors kind=subscription
-- needs: log_lines
-- nothing: there is no log of a server or an agent
-- views: troubled
-- explains: published_not_delivered, undelivered_delete, status_missing
select answer, severity, work, consumer, place, "at", text, shares, evidence, cause
from troubled
where kind = 'subscription'
order by place, consumer
