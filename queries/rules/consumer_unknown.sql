-- title: A request names a consumer that does not exist
-- severity: warning
-- means: The database has no such consumer: every further request for it will be refused.
-- comes about: A typing error; the consumer was never registered, or was let go after its works.
-- check: the consumers table
-- next: dacapo works BUNDLE --consumer NAME
-- needs whole: consumers
-- tables: consumers
-- views: requests
-- explains: request_refused
select
    case when consumers.name is null then 'found' else 'clear' end as answer,
    -- Whoever is let go after all went well is missed by nobody.
    case when bool_and(requests.outcome in ('completed', 'superseded')) then 'info' end as severity,
    null as work,
    requests.consumer,
    null as place,
    min(requests.requested_at) as "at",
    'consumer ' || requests.consumer || ' is not in the consumers table' as text,
    requests.consumer as shares,
    array_to_string(list_slice(list(requests.evidence order by requests.evidence), 1, 20), ' ')
        || coalesce(' ' || array_to_string(list_slice(list(requests.cause_evidence order by requests.cause_evidence), 1, 20), ' '), '')
        as evidence,
    null as cause
from requests
left join consumers on consumers.name = requests.consumer
where requests.consumer is not null
group by requests.consumer, consumers.name
order by requests.consumer
