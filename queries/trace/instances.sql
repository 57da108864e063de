-- title: The server replicas that the database knows
-- tables: server_instances
select id, created_at, last_heartbeat, ready, 'server_instances:' || row_no as evidence
from server_instances
order by id, evidence
