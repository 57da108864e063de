-- title: Who the server is, what its clock says, and how the transaction reads
select
    current_setting('server_version') as version,
    (extract(epoch from clock_timestamp()) * 1000000)::bigint as clock_micros,
    (select reset_val from pg_settings where name = 'TimeZone') as time_zone,
    current_database()::text as database,
    current_user::text as role,
    array_to_string(current_schemas(false), ', ') as schemas,
    pg_is_in_recovery() as is_standby,
    (extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000000)::bigint as replayed_micros_ago,
    current_setting('transaction_read_only') as read_only,
    current_setting('transaction_isolation') as isolation,
    (extract(epoch from transaction_timestamp()) * 1000000)::bigint as snapshot_micros
