-- title: Which lists of Kubernetes objects came whole: what is not in them was not there
-- tables: collection
select distinct cluster, target
from collection
where table_name = 'kube_objects' and outcome = 'ok' and whole is distinct from false
order by cluster, target
