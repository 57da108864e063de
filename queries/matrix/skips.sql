-- title: Lines of servers that leave something to another replica, or alone because it is not needed any more
create or replace temp table skips as
with works as (
    select resource_id, any_value(consumer) as consumer, any_value(source) as source
    from requests
    group by resource_id
),

lines as (
    select
        pod,
        resource_id,
        event_id,
        case when starts_with(message, 'Event ') or contains(message, ' as deleting') or contains(message, ' publish ') then 2 else 7 end as hop
    from log_lines
    where message in (
        'Event should not be processed by this instance',
        'skipping resource status update as it is not owned by the current instance',
        'skipping resource as it is not found',
        'Updating status for stale resource; disregard it'
    )
    or message like 'skipping % for resource that is marked as deleting%'
    or message like 'skipping to publish % for resource as it is not found'
),

owned as (
    select lines.hop, lines.pod, coalesce(lines.resource_id, events.source_id) as resource_id
    from lines
    left join events on events.id = lines.event_id
)

select owned.hop, owned.pod, works.consumer, works.source, count(*) as lines
from owned
inner join works on works.resource_id = owned.resource_id
group by owned.hop, owned.pod, works.consumer, works.source;
