//! What the clusters' API servers hold.

use super::record::record;
use super::{Json, Text, Time};

record! {
    /// AppliedManifestWorks: the agent's own account of what it applied, one for each work and hub hash.
    AppliedManifestWork in "applied_manifest_works" {
        /// Cluster it was read from.
        #[identifier(cluster)] cluster: Option<Text<'a>>,
        /// `<hub hash>-<manifest work name>`.
        #[identifier(applied_works)] #[key] name: Text<'a>,
        /// Kubernetes uid.
        #[identifier(id)] #[key] uid: Option<Text<'a>>,
        /// When it was created: the agent had the work by then.
        created_at: Option<Time>,
        /// When its deletion was asked for.
        deleted_at: Option<Time>,
        /// `spec.manifestWorkName`: the resource id, or the work name in builds before 2026-01-14.
        #[identifier(work)] #[key] manifest_work_name: Option<Text<'a>>,
        /// SHA-256 of the broker address the agent was given.
        #[identifier(id)] hub_hash: Option<Text<'a>>,
        /// Agent id; the hub hash in Maestro.
        #[identifier(id)] agent_id: Option<Text<'a>>,
        /// Set while the agent does not know the work any more.
        eviction_started_at: Option<Time>,
        /// `status.appliedResources`.
        #[manifest] applied_resources: Option<Json<'a>>,
        /// Taken from there: each as `plural.group/namespace/name`.
        #[identifier(manifests)] #[manifests] manifest_paths: Option<Text<'a>>,
        /// Labels, and annotations that are identifiers, each as `key=value`.
        #[identifier(labels)] #[labels] label_pairs: Option<Text<'a>>,
        /// The whole object.
        #[manifest] object: Json<'a>,
        /// File it was read from.
        #[identifier(file)] file: Option<Text<'a>>,
    }
}

record! {
    /// ManifestWorks in a cluster. Maestro's own are not there; these come from works inside works.
    ManifestWork in "manifest_works" {
        /// Cluster it was read from.
        #[identifier(cluster)] cluster: Option<Text<'a>>,
        /// Namespace.
        #[identifier(namespace)] namespace: Option<Text<'a>>,
        /// Name.
        #[identifier(work)] #[key] name: Text<'a>,
        /// Kubernetes uid.
        #[identifier(id)] #[key] uid: Option<Text<'a>>,
        /// When it was created.
        created_at: Option<Time>,
        /// When its deletion was asked for.
        deleted_at: Option<Time>,
        /// Generation.
        generation: Option<i64>,
        /// The AppliedManifestWorks that own it.
        #[identifier(applied_works)] #[words] applied_works: Option<Text<'a>>,
        /// Its manifests, each as `Kind.group/namespace/name`.
        #[identifier(manifests)] #[manifests] manifest_paths: Option<Text<'a>>,
        /// Labels, and annotations that are identifiers, each as `key=value`, where an AppliedManifestWork owns it.
        #[identifier(labels)] #[labels] label_pairs: Option<Text<'a>>,
        /// The whole object.
        #[manifest] object: Json<'a>,
        /// File it was read from.
        #[identifier(file)] file: Option<Text<'a>>,
    }
}

record! {
    /// Every other object of the clusters.
    KubeObject in "kube_objects" {
        /// Cluster it was read from.
        #[identifier(cluster)] cluster: Option<Text<'a>>,
        /// API group and version.
        #[identifier(word)] api_version: Option<Text<'a>>,
        /// Kind.
        #[identifier(word)] kind: Text<'a>,
        /// Namespace; none for cluster-scoped objects.
        #[identifier(namespace)] namespace: Option<Text<'a>>,
        /// Name.
        #[identifier(object)] #[key] name: Text<'a>,
        /// Kubernetes uid.
        #[identifier(id)] #[key] uid: Option<Text<'a>>,
        /// When it was created.
        created_at: Option<Time>,
        /// When its deletion was asked for.
        deleted_at: Option<Time>,
        /// Generation.
        generation: Option<i64>,
        /// Finalizers.
        #[manifest] finalizers: Option<Json<'a>>,
        /// The AppliedManifestWorks that own it.
        #[identifier(applied_works)] #[words] applied_works: Option<Text<'a>>,
        /// Labels, and annotations that are identifiers, each as `key=value`, where an AppliedManifestWork owns it.
        #[identifier(labels)] #[labels] label_pairs: Option<Text<'a>>,
        /// The whole object.
        #[manifest] object: Json<'a>,
        /// File it was read from.
        #[identifier(file)] file: Option<Text<'a>>,
    }
}

record! {
    /// Kubernetes Events.
    KubeEvent in "kube_events" {
        /// Cluster it was read from.
        #[identifier(cluster)] cluster: Option<Text<'a>>,
        /// Namespace.
        #[identifier(namespace)] namespace: Option<Text<'a>>,
        /// Name of the Event itself.
        #[identifier(object)] name: Text<'a>,
        /// When it was seen first.
        first_at: Option<Time>,
        /// When it was seen last.
        last_at: Option<Time>,
        /// `Normal` or `Warning`.
        #[identifier(word)] type_ as "type": Option<Text<'a>>,
        /// Reason.
        #[identifier(other)] reason: Option<Text<'a>>,
        /// Message.
        #[free_text] message: Option<Text<'a>>,
        /// Kind of the object it is about.
        #[identifier(word)] object_kind: Option<Text<'a>>,
        /// Name of the object it is about.
        #[identifier(object)] #[key] object_name: Option<Text<'a>>,
        /// How often it was seen.
        count: Option<i64>,
        /// The whole object.
        #[manifest] object: Json<'a>,
        /// File it was read from.
        #[identifier(file)] file: Option<Text<'a>>,
    }
}
