-- title: Hops: nine rows for each request, one a hop, with its verdict
-- answers: how far requests came, when and where
-- tables: resources, events, status_events, log_lines, applied_manifest_works, kube_objects, coverage, server_instances
-- column resource_id: Resource id.
-- column request: `create`, `update` or `delete`.
-- column version: The version that it asks for.
-- column life: Which life of the id it belongs to, counted from 1.
-- column number: Which request of the work it is; 1 is the newest.
-- column newest: The request is the newest of its work.
-- column hop: 1 to 9.
-- column name: What the hop is called.
-- column verdict: `passed`, `failed`, `missing`, `unknown` or `n/a`.
-- column happened_at: When it was passed, or failed.
-- column after_micros: Microseconds after the hop before it; none where a time is not known, is rounded, or is before that of the hop before.
-- column place: Pod, `database` or cluster.
-- column why: Why it is not plainly passed.
-- column evidence: Rows that show it, with spaces between them.
create temp table hops (
    resource_id varchar,
    request varchar,
    version bigint,
    life bigint,
    number bigint,
    newest boolean,
    hop bigint,
    name varchar,
    verdict varchar,
    happened_at timestamp,
    after_micros bigint,
    place varchar,
    why varchar,
    evidence varchar
);
