-- title: For each kind of trouble, every process that could tell of it, as a rule answers
-- tables: log_lines
-- views: processes, troubles
create or replace temp table troubled as
with told_by as (
    select *
    from (
        values
            ('decode', 'server'), ('decode', 'agent'),
            ('publish', 'server'), ('publish', 'agent'),
            ('subscription', 'server'), ('subscription', 'agent'),
            ('subscriber', 'server'),
            ('database', 'server')
    ) as kinds (kind, component)
)
select
    told_by.kind,
    case when troubles.times is not null then 'found' when processes.blind is not null then 'unknown' else 'clear' end as answer,
    case when troubles.healed then 'info' end as severity,
    null::varchar as work,
    processes.consumer,
    processes.pod as place,
    troubles.first_at as "at",
    coalesce(
        processes.component || ' ' || processes.pod || ': ' || troubles.words
            || case when troubles.times > 1 then ' (' || troubles.times || ' times)' else '' end,
        processes.blind
    ) as text,
    processes.component || ' ' || regexp_replace(troubles.words, '[0-9a-f]{8}-[0-9a-f-]{27}|"[^"]*"|[0-9]+', '…', 'g') as shares,
    coalesce(troubles.evidence, processes.evidence) as evidence,
    null::varchar as cause
from told_by
join processes on processes.component = told_by.component
left join troubles
    on troubles.kind = told_by.kind and troubles.component = processes.component and troubles.pod = processes.pod;
