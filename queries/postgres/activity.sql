-- title: Who else is connected to this database: state, what they listen to and what they wait for; no statements
select
    pid,
    coalesce(state, '') as state,
    -- What a backend ran last tells that it listens, until a ping runs an empty statement.
    (regexp_match(query, '^\s*listen\s+"?([a-z_]+)[^a-z_]*$', 'i'))[1] as channel,
    query = '' and state = 'idle' as may_listen,
    query = '<insufficient privilege>' or state is null as is_hidden,
    case when wait_event_type = 'Lock' then array_to_string(pg_blocking_pids(pid), ', ') end as blocked_by,
    (extract(epoch from clock_timestamp() - state_change) * 1000000)::bigint as state_micros,
    (extract(epoch from clock_timestamp() - xact_start) * 1000000)::bigint as transaction_micros
from pg_catalog.pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid()
order by pid
