-- title: Begins the one transaction that everything is read in: all tables agree, and nothing can be written
begin transaction isolation level repeatable read, read only
