-- title: Times without a connection: of servers and agents to the broker, of servers to the database's notifications
-- tables: log_lines
-- views: notable
-- An outage begins with the first word of a loss and ends with the first of a return.
create or replace temp table outages as
with words as (
    select
        *,
        case
            when message like 'Listener:%' or message like 'recreate the listener%' then 'listener'
            else 'broker'
        end as kind,
        message in (
            'the cloudevents client is disconnected',
            'the cloudevents client reconnect failed',
            'Listener: the state of the underlying database connection changes'
        ) as lost
    from notable
    where message in (
        'the cloudevents client is disconnected',
        'the cloudevents client reconnect failed',
        'the cloudevents client is reconnected',
        'mqtt is connected',
        'grpc is connected',
        'subscribed to mqtt broker',
        'Listener: the state of the underlying database connection changes',
        'recreate the listener for channel due to the connection loss',
        'recreate the listener due to ping failed'
    )
),
edges as (
    select *, lag(lost) over (partition by component, pod, kind order by logged_at, row_no) as before
    from words
),
turns as (
    select
        *,
        lead(logged_at) over (partition by component, pod, kind order by logged_at, row_no) as back_at,
        lead(evidence) over (partition by component, pod, kind order by logged_at, row_no) as back
    from edges
    where lost is distinct from before
)
select component, pod, kind, logged_at as lost_at, back_at, coalesce(error, message) as words, evidence, back
from turns
where lost;
