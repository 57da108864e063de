-- title: Copies a table through psql, in whatever schema the search path leads to
-- parameters: the table
copy (select * from $1) to stdout (format csv, header)
