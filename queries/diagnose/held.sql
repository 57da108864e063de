-- title: Kinds of objects that lists of a cluster would show: what is not in them was not there
-- tables: kube_objects, collection
-- A list with objects of several namespaces is one of them all; another is one of its own.
create or replace temp table held as
with lists as (
    select kube_objects.file, count(distinct kube_objects.namespace) > 1 as several
    from kube_objects
    join collection on collection.target = kube_objects.file
    where collection.table_name = 'kube_objects' and collection.outcome = 'ok' and collection.whole is distinct from false
    group by kube_objects.file
)
select
    kube_objects.cluster,
    lower(kube_objects.kind) as kind,
    bool_or(lists.several) as everywhere,
    list(distinct coalesce(kube_objects.namespace, '')) as namespaces
from kube_objects
join lists on lists.file = kube_objects.file
group by kube_objects.cluster, lower(kube_objects.kind);
