-- title: The manifests of a work and where each was seen
-- parameters: resource_id
-- tables: resources, status_events, log_lines, coverage, applied_manifest_works, kube_objects
select kind, namespace, name, seen_in, min(evidence) as evidence
from manifests
where resource_id = $1 and name is not null
group by kind, namespace, name, seen_in
order by kind, namespace, name, seen_in
