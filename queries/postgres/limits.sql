-- title: Sets how long the server bears with us, and how it writes times; for this transaction only
-- parameters: time for a statement, time to wait for a lock, time between two statements
select
    set_config('statement_timeout', $1, true),
    set_config('lock_timeout', $2, true),
    set_config('idle_in_transaction_session_timeout', $3, true),
    set_config('timezone', 'UTC', true),
    set_config('datestyle', 'ISO, YMD', true),
    set_config('bytea_output', 'hex', true)
