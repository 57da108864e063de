-- title: Copies a table, in whatever schema the search path leads to
-- parameters: the columns, the table
copy (select $1 from $2) to stdout (format csv, header)
