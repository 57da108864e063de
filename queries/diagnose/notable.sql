-- title: Log lines that tell of trouble, or of its end
-- tables: log_lines
-- What is printed in healthy times and asks for nobody is left out: a status that another replica stored already, a patch
-- that is tried again, the start of an agent.
create or replace temp table notable as
select
    row_no,
    'log_lines:' || row_no as evidence,
    logged_at,
    component,
    coalesce(pod, file) as pod,
    level,
    message,
    error,
    resource_id,
    event_id,
    consumer,
    source,
    channel
from log_lines
where message not like 'Updating status for stale resource%'
  and (
      level in ('error', 'fatal')
      or message in (
          'the cloudevents client is reconnected',
          'mqtt is connected',
          'grpc is connected',
          'subscribed to mqtt broker',
          'subscribed to grpc server',
          'recreate the listener for channel due to the connection loss',
          'recreate the listener due to ping failed',
          'send channel is full, dropping heartbeat',
          'unmatched consumer name'
      )
  );
