-- title: A log has a gap
-- severity: info
-- means: For a while it says nothing, though its process was there: lines may be missing.
-- comes about: An export lost lines, a log was rotated, or the process hung.
-- check: the same time in another copy of the log
-- next: dacapo inspect BUNDLE
-- needs: log_lines
-- nothing: there is no log of a server or an agent
-- views: logs
-- Quiet is not a gap: it must have been quiet for much longer than it usually is, and others of its kind must have gone on.
with quiet as (
    select
        *,
        silent_to - silent_from > interval 10 minutes and silent_to - silent_from > (last_at - first_at) / 2 as long
    from logs
),
compared as (
    select
        quiet.*,
        count(others.row_no) as beside,
        count(others.row_no) filter (others.silent_to - others.silent_from < (quiet.silent_to - quiet.silent_from) / 4) as went_on
    from quiet
    left join logs as others
        on quiet.long
        and others.component = quiet.component
        and others.pod <> quiet.pod
        and others.first_at < quiet.silent_from
        and others.last_at > quiet.silent_to
    group by all
)
select
    case when went_on > 0 then 'found' when long and beside = 0 then 'unknown' else 'clear' end as answer,
    null as severity,
    null as work,
    consumer,
    pod as place,
    silent_from as "at",
    component || ' ' || pod || ' wrote nothing for ' || round(epoch(silent_to - silent_from) / 60)::bigint || ' minutes'
        || case when beside = 0 then ', and no other of its kind tells whether that is usual' else '' end as text,
    component as shares,
    evidence,
    null as cause
from compared
order by row_no
