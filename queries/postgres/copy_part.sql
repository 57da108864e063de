-- title: Copies the younger rows of a table through psql; all of them where it does not know when they were created
-- parameters: the table, the earliest creation of a row
copy (
    select part.*
    -- What the table itself has goes before what is around it.
    from (select null::timestamptz as created_at) as otherwise
    cross join lateral (select * from $1 where created_at >= $2 or created_at is null) as part
) to stdout (format csv, header)
