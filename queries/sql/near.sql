-- title: Columns whose names are like one that is not there, and where they are
-- parameters: the name
with known as (
    select column_name, string_agg(distinct table_name, ', ' order by table_name) as tables
    from duckdb_columns()
    where not internal
    group by column_name
),

measured as (
    select
        column_name,
        tables,
        damerau_levenshtein(lower(column_name), lower($1)) as distance,
        contains(lower(column_name), lower($1)) or contains(lower($1), lower(column_name)) as is_part
    from known
)

select column_name, tables
from measured
where distance <= greatest(1, length($1) // 3) or is_part and length($1) > 2
order by distance, column_name
limit 5
