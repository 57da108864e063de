-- title: Maestro's advisory locks that are held and waited for; the second key is a hash of what is locked
select
    case objid::bigint
        when 316203908 then 'events'
        when 1893056498 then 'resources'
        when 2404338048 then 'resource status'
        when 105446707 then 'instances'
        when 457026696 then 'migrations'
    end as kind,
    count(*) filter (where granted) as held,
    count(*) filter (where not granted) as waited_for
from pg_catalog.pg_locks
where
    locktype = 'advisory'
    and objsubid = 2
    and database = (select oid from pg_catalog.pg_database where datname = current_database())
    and objid::bigint in (316203908, 1893056498, 2404338048, 105446707, 457026696)
group by objid
order by kind
