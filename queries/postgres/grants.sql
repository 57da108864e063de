-- title: The rights of a role that reads for a bundle, and nothing else; apply as the owner of the tables
grant connect on database maestro to dacapo;
grant usage on schema public to dacapo;
grant select on consumers, server_instances, resources, events, event_instances, status_events to dacapo;
-- Only to see which server replicas listen for events; the rest goes without.
grant pg_read_all_stats to dacapo;
