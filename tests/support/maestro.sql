-- Maestro's tables after all of its migrations; columns in the order of a dump.

CREATE TABLE consumers (
    id text PRIMARY KEY,
    created_at timestamptz,
    updated_at timestamptz,
    deleted_at timestamptz,
    name text NOT NULL,
    labels jsonb
);
CREATE UNIQUE INDEX idx_consumers_name ON consumers (name);
CREATE INDEX idx_consumers_deleted_at ON consumers (deleted_at);

CREATE TABLE resources (
    name text,
    id text PRIMARY KEY,
    created_at timestamptz,
    updated_at timestamptz,
    deleted_at timestamptz,
    source text,
    consumer_name text CONSTRAINT fk_resources_consumers
        REFERENCES consumers (name) ON DELETE RESTRICT ON UPDATE RESTRICT,
    version bigint NOT NULL,
    type text,
    payload jsonb,
    status jsonb
);
CREATE UNIQUE INDEX idx_resources_name ON resources (name);
CREATE INDEX idx_resources_deleted_at ON resources (deleted_at);
CREATE INDEX idx_resources_source ON resources (source);
CREATE INDEX idx_resources_consumer_name ON resources (consumer_name);
CREATE INDEX idx_resources_type ON resources (type);

CREATE TABLE events (
    id text PRIMARY KEY,
    created_at timestamptz,
    updated_at timestamptz,
    deleted_at timestamptz,
    source text,
    source_id text,
    event_type text,
    reconciled_date timestamptz
);
CREATE INDEX idx_events_deleted_at ON events (deleted_at);
CREATE INDEX idx_events_source ON events (source);
CREATE INDEX idx_events_source_id ON events (source_id);
CREATE INDEX idx_events_reconciled_date ON events (reconciled_date);

CREATE TABLE status_events (
    id text PRIMARY KEY,
    created_at timestamptz,
    updated_at timestamptz,
    deleted_at timestamptz,
    resource_id text,
    resource_source text,
    resource_type text,
    payload jsonb,
    status jsonb,
    status_event_type text,
    reconciled_date timestamptz
);
CREATE INDEX idx_status_events_deleted_at ON status_events (deleted_at);
CREATE INDEX idx_status_events_resource_id ON status_events (resource_id);
CREATE INDEX idx_status_events_reconciled_date ON status_events (reconciled_date);

CREATE TABLE server_instances (
    id text PRIMARY KEY,
    created_at timestamptz,
    updated_at timestamptz,
    deleted_at timestamptz,
    last_heartbeat timestamptz,
    ready boolean DEFAULT false
);
CREATE INDEX idx_server_instances_deleted_at ON server_instances (deleted_at);

CREATE TABLE event_instances (
    event_id text REFERENCES status_events (id) ON DELETE CASCADE,
    instance_id text REFERENCES server_instances (id) ON DELETE CASCADE,
    spec_event_id text REFERENCES events (id) ON DELETE CASCADE
);
CREATE INDEX idx_event_instances_event_id ON event_instances (event_id);
CREATE INDEX idx_event_instances_instance_id ON event_instances (instance_id);
CREATE INDEX idx_event_instances_spec_event_id ON event_instances (spec_event_id);
CREATE INDEX idx_status_event_instance ON event_instances (event_id, instance_id);

CREATE TABLE migrations (id text PRIMARY KEY);
INSERT INTO migrations (id) VALUES
    ('201911212019'),
    ('202309020925'),
    ('202311151850'),
    ('202311151856'),
    ('202311151859'),
    ('202401151014'),
    ('202406241426'),
    ('202406241506'),
    ('202412171429'),
    ('202412181141');
