-- title: Requests: one row for each create, update and delete, judged by the rules of a trace
-- answers: what became of every request, where it stopped and why
-- tables: resources, events, status_events, log_lines, applied_manifest_works, kube_objects, coverage, server_instances
-- column resource_id: Resource id.
-- column work_name: The name the client gave the work.
-- column consumer: The management cluster it is for.
-- column source: The client's source id.
-- column request: `create`, `update` or `delete`.
-- column version: The version that it asks for.
-- column life: Which life of the id it belongs to, counted from 1.
-- column number: Which request of the work it is; 1 is the newest.
-- column op_id: Operation id.
-- column requested_at: When it was made.
-- column newest: It is the newest of its work.
-- column outcome: `completed`, `stopped`, `refused`, `superseded`, `in-progress` or `unknown`.
-- column hop_reached: The last hop up to which all passed, or 0.
-- column reached_at: When that hop was reached.
-- column stops_at: The hop at which it stops.
-- column unsure_at: Where the outcome is unknown, the first hop that cannot be told.
-- column sentence: What Maestro's people say of such a stop.
-- column why: Why the outcome is unknown, what it waits for, or what the hop at which it stops tells.
-- column cause: The best-supported reason of a stop; only for the newest request.
-- column cause_evidence: Rows that show the reason, with spaces between them.
-- column observed_version: The version that the last stored status of the work is about.
-- column deleted_at: When a delete of the work was asked for, according to its row.
-- column evidence: Rows that show where it is, with spaces between them.
create temp table requests (
    resource_id varchar,
    work_name varchar,
    consumer varchar,
    source varchar,
    request varchar,
    version bigint,
    life bigint,
    number bigint,
    op_id varchar,
    requested_at timestamp,
    newest boolean,
    outcome varchar,
    hop_reached bigint,
    reached_at timestamp,
    stops_at bigint,
    unsure_at bigint,
    sentence varchar,
    why varchar,
    cause varchar,
    cause_evidence varchar,
    observed_version bigint,
    deleted_at timestamp,
    evidence varchar
);
