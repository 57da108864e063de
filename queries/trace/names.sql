-- title: The names of the works that are loaded
-- tables: resources, status_events, log_lines
-- views: named_works
select distinct work_name as name
from named_works
order by name
