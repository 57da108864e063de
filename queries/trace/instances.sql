-- title: The server replicas that the database knows
-- tables: server_instances
select id, created_at, last_heartbeat
from server_instances
order by id, row_no
