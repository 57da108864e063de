-- title: What a rule of somebody's own said, with the types that are read
-- `said` is its answer as it came. What nobody would read to its end is shortened.
select
    answer::varchar as answer,
    severity::varchar as severity,
    work::varchar as work,
    consumer::varchar as consumer,
    place::varchar as place,
    "at"::timestamp as "at",
    left(text::varchar, 10000) as text,
    left(shares::varchar, 10000) as shares,
    left(evidence::varchar, 10000) as evidence,
    left(cause::varchar, 10000) as cause
from said
