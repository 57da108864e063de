-- title: The newest request of each work, as rules tell of it
-- views: requests, alike
-- What two stops have in common is their reason, whatever the objects in it are called; without one, the consumer.
create or replace temp table newest as
select
    resource_id as work,
    coalesce(work_name, resource_id) as name,
    consumer,
    null::varchar as place,
    coalesce(reached_at, requested_at) as "at",
    request || ' v' || version || ' of ' || name
        || coalesce(': ' || coalesce(cause, why, sentence), '') as text,
    case when cause is null then consumer else alike(cause, consumer) end as shares,
    evidence,
    cause_evidence as cause,
    cause as words,
    request,
    version,
    observed_version,
    requested_at,
    outcome,
    stops_at,
    unsure_at,
    hop_reached,
    deleted_at
from requests
where newest;
