-- title: Server lines about a status of a work that is asked for, with the version it reports on
-- tables: log_lines
-- views: asked, asked_lines
-- shape: row_no bigint, resource_id varchar, logged_at timestamp, pod varchar, message varchar,
--   event_type varchar, op_id varchar, cloud_event_id varchar, sequence_id varchar, error varchar, found varchar,
--   want varchar, status_version bigint, status_deleting boolean
-- Only some of these lines print the version. The others belong to the status that the same pod received
-- last for that resource, because a replica handles one status after another. Exports may not be in order.
select
    row_no,
    resource_id,
    logged_at,
    pod,
    message,
    event_type,
    op_id,
    cloud_event_id,
    sequence_id,
    error,
    found,
    want,
    last_value(resource_version ignore nulls) over handled as status_version,
    last_value(deleting ignore nulls) over handled as status_deleting
from asked_lines
where component = 'server'
  and (
      event_type like 'status.%'
      or message in (
          'received status update for resource',
          'handle resource status update by the current instance',
          'skipping resource status update as it is not owned by the current instance',
          'Updating status for stale resource; disregard it',
          'resource status update event was sent',
          'resource status delete event was sent'
      )
  )
window handled as (
    partition by coalesce(pod, file), resource_id
    order by logged_at, row_no
    rows between unbounded preceding and current row
)
