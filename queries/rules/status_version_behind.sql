-- title: The stored status is about an older version than the stored spec
-- severity: error
-- means: Whoever reads the status sees a healthy work, and what they see is the version before.
-- comes about: The newer version stopped on its way, wherever that was.
-- check: resourceversion in the status against version of the row; Applied=True says nothing about the newer version
-- next: dacapo trace BUNDLE WORK shows where the newer version stopped
-- needs: resources
-- views: newest
-- follows: spec_event_unreconciled, published_not_delivered, apply_failed, status_missing, status_event_unhandled, status_not_broadcast
select
    case
        when observed_version < version and outcome = 'stopped' then 'found'
        when outcome = 'unknown' and coalesce(observed_version, 0) < version then 'unknown'
        else 'clear'
    end as answer,
    null as severity,
    work,
    consumer,
    place,
    "at",
    'version ' || version || ' is stored, '
        || coalesce('the status is about version ' || observed_version, 'and of which version its status is cannot be told') as text,
    consumer as shares,
    evidence,
    cause
from newest
-- What never had a status is told by the rules of its hops.
where (observed_version is not null or outcome = 'unknown') and request <> 'delete' and outcome <> 'refused'
order by work
