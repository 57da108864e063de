//! What the clusters' API servers hold.

use super::record::record;
use super::{Json, Text, Time};

record! {
    /// AppliedManifestWorks: the agent's own account of what it applied, one for each work and hub hash.
    AppliedManifestWork in "applied_manifest_works" {
        /// Cluster it was read from.
        cluster: Option<Text<'a>>,
        /// `<hub hash>-<manifest work name>`.
        #[key] name: Text<'a>,
        /// Kubernetes uid.
        #[key] uid: Option<Text<'a>>,
        /// When it was created: the agent had the work by then.
        created_at: Option<Time>,
        /// When its deletion was asked for.
        deleted_at: Option<Time>,
        /// `spec.manifestWorkName`: the resource id, or the work name in builds before 2026-01-14.
        #[key] manifest_work_name: Option<Text<'a>>,
        /// SHA-256 of the broker address the agent was given.
        hub_hash: Option<Text<'a>>,
        /// Agent id; the hub hash in Maestro.
        agent_id: Option<Text<'a>>,
        /// Set while the agent does not know the work any more.
        eviction_started_at: Option<Time>,
        /// `status.appliedResources`.
        applied_resources: Option<Json<'a>>,
        /// Taken from there: each as `plural.group/namespace/name`.
        #[manifests] manifest_paths: Option<Text<'a>>,
        /// Labels, and annotations that are identifiers, each as `key=value`.
        #[labels] label_pairs: Option<Text<'a>>,
        /// The whole object.
        object: Json<'a>,
        /// File it was read from.
        file: Option<Text<'a>>,
    }
}

record! {
    /// ManifestWorks in a cluster. Maestro's own are not there; these come from works inside works.
    ManifestWork in "manifest_works" {
        /// Cluster it was read from.
        cluster: Option<Text<'a>>,
        /// Namespace.
        namespace: Option<Text<'a>>,
        /// Name.
        #[key] name: Text<'a>,
        /// Kubernetes uid.
        #[key] uid: Option<Text<'a>>,
        /// When it was created.
        created_at: Option<Time>,
        /// When its deletion was asked for.
        deleted_at: Option<Time>,
        /// Generation.
        generation: Option<i64>,
        /// The AppliedManifestWorks that own it.
        #[words] applied_works: Option<Text<'a>>,
        /// Its manifests, each as `Kind.group/namespace/name`.
        #[manifests] manifest_paths: Option<Text<'a>>,
        /// Labels, and annotations that are identifiers, each as `key=value`, where an AppliedManifestWork owns it.
        #[labels] label_pairs: Option<Text<'a>>,
        /// The whole object.
        object: Json<'a>,
        /// File it was read from.
        file: Option<Text<'a>>,
    }
}

record! {
    /// Every other object of the clusters.
    KubeObject in "kube_objects" {
        /// Cluster it was read from.
        cluster: Option<Text<'a>>,
        /// API group and version.
        api_version: Option<Text<'a>>,
        /// Kind.
        kind: Text<'a>,
        /// Namespace; none for cluster-scoped objects.
        namespace: Option<Text<'a>>,
        /// Name.
        #[key] name: Text<'a>,
        /// Kubernetes uid.
        #[key] uid: Option<Text<'a>>,
        /// When it was created.
        created_at: Option<Time>,
        /// When its deletion was asked for.
        deleted_at: Option<Time>,
        /// Generation.
        generation: Option<i64>,
        /// Finalizers.
        finalizers: Option<Json<'a>>,
        /// The AppliedManifestWorks that own it.
        #[words] applied_works: Option<Text<'a>>,
        /// Labels, and annotations that are identifiers, each as `key=value`, where an AppliedManifestWork owns it.
        #[labels] label_pairs: Option<Text<'a>>,
        /// The whole object.
        object: Json<'a>,
        /// File it was read from.
        file: Option<Text<'a>>,
    }
}

record! {
    /// Kubernetes Events.
    KubeEvent in "kube_events" {
        /// Cluster it was read from.
        cluster: Option<Text<'a>>,
        /// Namespace.
        namespace: Option<Text<'a>>,
        /// Name of the Event itself.
        name: Text<'a>,
        /// When it was seen first.
        first_at: Option<Time>,
        /// When it was seen last.
        last_at: Option<Time>,
        /// `Normal` or `Warning`.
        type_ as "type": Option<Text<'a>>,
        /// Reason.
        reason: Option<Text<'a>>,
        /// Message.
        message: Option<Text<'a>>,
        /// Kind of the object it is about.
        object_kind: Option<Text<'a>>,
        /// Name of the object it is about.
        #[key] object_name: Option<Text<'a>>,
        /// How often it was seen.
        count: Option<i64>,
        /// The whole object.
        object: Json<'a>,
        /// File it was read from.
        file: Option<Text<'a>>,
    }
}
