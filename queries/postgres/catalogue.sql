-- title: Maestro's tables as this database has them, and the statement that copies each
-- parameters: names of tables, names of those that may be taken in part, the earliest creation of their rows
with wanted as (
    select name, place from unnest($1::text[]) with ordinality as wanted (name, place)
),

found as (
    select wanted.name, wanted.place, relation.oid, schema.nspname::text as schema
    from wanted
    left join pg_catalog.pg_class as relation on relation.oid = to_regclass(quote_ident(wanted.name))
    left join pg_catalog.pg_namespace as schema on schema.oid = relation.relnamespace
),

columns as (
    select
        found.name,
        attribute.attname::text as attname,
        attribute.attnum,
        has_column_privilege(found.oid, attribute.attnum, 'select') as readable
    from found
    inner join pg_catalog.pg_attribute as attribute on attribute.attrelid = found.oid
    where attribute.attnum > 0 and not attribute.attisdropped
),

lists as (
    select
        name,
        string_agg(quote_ident(attname), ', ' order by attnum) filter (where readable) as readable,
        string_agg(attname, ', ' order by attnum) filter (where not readable) as hidden,
        bool_or(attname = 'created_at' and readable) and name = any($2::text[]) and $3::text is not null as windowed
    from columns
    group by name
),

-- Where a table of that name is that the search path does not lead to.
elsewhere as (
    select
        relation.relname::text as name,
        string_agg(schema.nspname::text, ', ' order by schema.nspname) as schemas,
        bool_or(not has_schema_privilege(schema.oid, 'usage')) as barred
    from pg_catalog.pg_class as relation
    inner join pg_catalog.pg_namespace as schema on schema.oid = relation.relnamespace
    where relation.relkind in ('r', 'p', 'v', 'm', 'f') and relation.relname = any($1::text[])
    group by relation.relname
)

select
    found.name,
    lists.hidden,
    coalesce(lists.windowed, false) as windowed,
    found.oid is not null and row_security_active(found.oid) as filtered,
    found.oid is not null as is_there,
    case when found.oid is null then elsewhere.schemas end as elsewhere,
    coalesce(found.oid is null and elsewhere.barred, false) as barred,
    case
        when lists.readable is not null then format(
            'copy (select %s from %I.%I%s) to stdout (format csv, header)',
            lists.readable,
            found.schema,
            found.name,
            case when lists.windowed then format(' where created_at >= %L or created_at is null', $3::text) end
        )
    end as statement
from found
left join lists on lists.name = found.name
left join elsewhere on elsewhere.name = found.name
order by found.place
