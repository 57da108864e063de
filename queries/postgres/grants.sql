-- title: The rights of a role that reads for a bundle, and nothing else; for an administrator, never sent
grant connect on database maestro to dacapo;
grant usage on schema public to dacapo;
-- The owner of the tables grants this; the two above are for the owners of the database and of the schema.
grant select on
    public.consumers,
    public.server_instances,
    public.resources,
    public.events,
    public.event_instances,
    public.status_events
to dacapo;
-- Optional, and a superuser's to grant: to see which server replicas listen for events. The rest goes without.
grant pg_read_all_stats to dacapo;
