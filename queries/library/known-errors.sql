-- title: Log lines with errors that are known to stop requests
-- answers: which of the known errors there are, in which pod and when
-- parameter kind =: `publish`, `subscription`, `listener`, `consumer`, `decode`, `database`, `subscriber`, `status`; all without it
-- instead of: grep -E "PublishError|Failed to publish resource"
-- instead of: grep "failed to receive cloudevents"
-- instead of: grep -E "recreate the listener|stopping channel"
-- instead of: grep "unmatched consumer name"
-- instead of: grep -E "failed to convert resource|failed to decode cloudevent"
-- instead of: grep -E "failed to create status event|failed to get status event|failed to get resource"
-- instead of: grep -E "no clients registered on this instance|failed to send heartbeat|failed to send event"
-- instead of: grep -E "failed to handle resource|skipping resource status update"
-- tables: log_lines
-- Each pattern is a constant, so that it is compiled once and not for every line.
with told as (
    select
        *,
        [
            case when regexp_matches(text, 'PublishError|failed to publish resource', 'i') then 'publish' end,
            case when regexp_matches(text, 'failed to receive cloudevents', 'i') then 'subscription' end,
            case when regexp_matches(text, 'recreate the listener|stopping channel', 'i') then 'listener' end,
            case when regexp_matches(text, 'unmatched consumer name', 'i') then 'consumer' end,
            case when regexp_matches(text, 'failed to convert resource|failed to decode cloudevent', 'i') then 'decode' end,
            case
                when regexp_matches(text, 'failed to (create|get) status event|failed to get resource', 'i') then 'database'
            end,
            case
                when regexp_matches(text, 'no clients registered on this instance|failed to send (heartbeat|event)', 'i')
                    then 'subscriber'
            end,
            case
                when regexp_matches(text, 'failed to handle resource|skipping resource status update', 'i') then 'status'
            end
        ] as kinds
    from log_lines
    where regexp_matches(text, 'PublishError|failed to |recreate the|stopping channel|unmatched|no clients|skipping', 'i')
),
single as (
    select unnest(kinds) as kind, logged_at, cluster, pod, component, resource_id, text, row_no
    from told
)
select kind, logged_at, cluster, pod, component, resource_id, text, 'log_lines:' || row_no as evidence
from single
where kind is not null and ($kind = '' or kind = $kind)
order by logged_at nulls last, single.row_no, kind;
