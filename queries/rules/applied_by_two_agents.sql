-- title: One work has several AppliedManifestWorks
-- severity: warning
-- means: Two agents, or one agent under two broker addresses, hold the same work. Those of the old address stay for ever.
-- comes about: The broker address of the agent changed (another hub hash); two agents serve one consumer from two clusters.
-- check: the hub hashes: an agent knows only the AppliedManifestWorks of its own
-- next: dacapo resolve --broker ADDRESS tells the hub hash of an address
-- needs: applied_manifest_works
-- tables: resources, applied_manifest_works, manifest_works, coverage
-- views: applied
select
    case when count(distinct coalesce(cluster, '') || ' ' || coalesce(hub_hash, '')) > 1 then 'found' else 'clear' end as answer,
    null as severity,
    resource_id as work,
    any_value(resources.consumer_name) as consumer,
    string_agg(distinct cluster, ', ' order by cluster) as place,
    max(applied.created_at) as "at",
    count(*) || ' AppliedManifestWorks in ' || count(distinct cluster) || ' clusters with '
        || count(distinct hub_hash) || ' hub hashes' as text,
    string_agg(distinct cluster, ', ' order by cluster) as shares,
    string_agg(applied.evidence, ' ' order by applied.evidence) as evidence,
    null as cause
from applied
left join resources on resources.id = applied.resource_id
where is_told
group by resource_id
order by resource_id
