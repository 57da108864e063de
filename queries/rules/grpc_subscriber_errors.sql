-- title: A server could not reach a client that had subscribed
-- severity: warning
-- means: The stream to a client broke: statuses that come before it is back do not reach it.
-- comes about: The client ended, the network between them is cut, or the client is too slow.
-- check: the client's own log; "registered a broadcaster client" tells when it was back
-- next: dacapo query BUNDLE known-errors kind=subscriber
-- needs: log_lines
-- nothing: there is no log of a server
-- views: troubled
-- explains: subscriber_absent
select answer, severity, work, consumer, place, "at", text, shares, evidence, cause
from troubled
where kind = 'subscriber'
order by place, consumer
