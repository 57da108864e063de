-- title: Marks a place to come back to, so that a table that cannot be read does not cost the others
savepoint before_table
