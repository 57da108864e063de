-- title: Log lines with errors that are known to stop requests
-- answers: which of the known errors there are, in which pod and when
-- parameter kind =: `publish`, `subscription`, `listener`, `consumer`, `decode`, `database`, `subscriber`, `status`; all without it
-- with kind=publish instead of: grep -E "PublishError|Failed to publish resource"
-- with kind=subscription instead of: grep "failed to receive cloudevents"
-- with kind=listener instead of: grep -E "recreate the listener|stopping channel"
-- with kind=consumer instead of: grep "unmatched consumer name"
-- with kind=decode instead of: grep -E "failed to convert resource|failed to decode cloudevent"
-- with kind=database instead of: grep -E "failed to create status event|failed to get status event|failed to get resource"
-- with kind=subscriber instead of: grep -E "no clients registered on this instance|failed to send heartbeat|failed to send event"
-- with kind=status instead of: grep -E "failed to handle resource|skipping resource status update"
-- tables: log_lines
-- Each pattern is a constant, so that it is compiled once and not for every line.
with told as (
    select
        *,
        [
            case when regexp_matches(text, 'PublishError|failed to publish resource', 'i') then 'publish' end,
            case
                when regexp_matches(
                    text, 'failed to receive cloudevents|failed to subscribe after connection|subscribe stream failed', 'i'
                )
                    then 'subscription'
            end,
            case when regexp_matches(text, 'recreate the listener|stopping channel|Listener: the state of', 'i') then 'listener' end,
            case when regexp_matches(text, 'unmatched consumer name', 'i') then 'consumer' end,
            case
                when regexp_matches(text, 'failed to (convert|decode) |unmatched original source|"invalid event"', 'i')
                    then 'decode'
            end,
            case
                when regexp_matches(text, 'failed to (create|get) status event|failed to get resource', 'i')
                    or level in ('error', 'fatal')
                    and regexp_matches(text, 'SQLSTATE|pq: |bad connection|too many clients|advisory lock|instance lock| from db"')
                    then 'database'
            end,
            case
                when regexp_matches(
                    text, 'no clients registered on this instance|failed to send (heartbeat|event)|send channel is full', 'i'
                )
                    then 'subscriber'
            end,
            case
                when regexp_matches(text, 'failed to handle resource|skipping resource status update', 'i') then 'status'
            end
        ] as kinds
    from log_lines
    where level in ('error', 'fatal')
        or regexp_matches(
            text,
            'PublishError|failed to |recreate the|stopping channel|unmatched|no clients|skipping|channel is full',
            'i'
        )
),
single as (
    select unnest(kinds) as kind, logged_at, cluster, pod, component, resource_id, text, row_no
    from told
)
select kind, logged_at, cluster, pod, component, resource_id, text, 'log_lines:' || row_no as evidence
from single
where kind is not null and ($kind = '' or kind = $kind)
order by logged_at nulls last, single.row_no, kind;
