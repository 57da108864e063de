-- title: Clocks of pods that differ from the servers', one row for each work whose lines tell
-- answers: by how much times of a pod are off
-- tables: log_lines
-- column pod: Pod.
-- column ahead_micros: Microseconds by which its clock is ahead.
-- column work: Resource id of the work whose lines tell.
create temp table clocks (
    pod varchar,
    ahead_micros bigint,
    work varchar
);
