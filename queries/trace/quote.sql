-- title: One log line, word for word
-- parameters: row_no
-- tables: log_lines
select logged_at as "at", concat_ws(' ', cluster, pod) as place, text
from log_lines
where row_no = try_cast($1 as bigint)
order by row_no
