-- title: Copies the younger rows of a table through psql
-- parameters: the table, the earliest creation of a row
copy (select * from $1 where created_at >= $2 or created_at is null) to stdout (format csv, header)
