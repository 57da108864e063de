//! Kinds of objects by any of their names: kind, plural, short name, with group or without.
//!
//! The names of a cluster's own kinds are its CustomResourceDefinitions' to tell; where a bundle has none, the usual
//! English plural must do.

use super::super::error::Result;
use crate::bundle::{Reader, Rows};
use crate::schema::{ManifestPath, plurals};
use serde::Deserialize;
use std::borrow::Cow;

/// A kind and what else it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    pub kind: Cow<'static, str>,
    pub plural: Cow<'static, str>,
    /// Empty in the core group.
    pub group: Cow<'static, str>,
    pub short: Vec<Cow<'static, str>>,
}

impl Kind {
    /// Is it called so? A short name, a plural and a kind in any case will do.
    fn is_called(&self, name: &str) -> bool {
        self.kind.eq_ignore_ascii_case(name) || self.plural == name || self.short.iter().any(|short| short == name)
    }
}

/// A kind as somebody wrote it, in lower case: `deploy`, `deployments.apps`, `deployments.v1.apps`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindName {
    pub name: String,
    pub group: Option<String>,
}

impl KindName {
    pub fn parse(text: &str) -> Self {
        let text = text.to_lowercase();
        let (name, rest) = text.split_once('.').map_or((text.as_str(), None), |(name, rest)| (name, Some(rest)));
        let group = rest.map(|rest| match rest.split_once('.') {
            Some((version, group)) if is_version(version) => group,
            None if is_version(rest) => "",
            _ => rest,
        });
        Self { name: name.to_owned(), group: group.map(str::to_owned) }
    }

    /// Can a manifest of that kind and group be meant? A path has a kind or, from an agent's list, a plural.
    pub fn fits(&self, path: &ManifestPath<'_>, learnt: &[Kind]) -> bool {
        let written = path.kind.to_lowercase();
        let group_fits = self.group.as_deref().is_none_or(|group| group == path.group.unwrap_or_default());
        let same =
            written == self.name || plurals(&written).contains(&self.name) || plurals(&self.name).contains(&written);
        let known = |kind: &Kind| {
            kind.is_called(&self.name) && kind.group == path.group.unwrap_or_default() && kind.is_called(&written)
        };
        group_fits && (same || builtin().any(|kind| known(&kind)) || learnt.iter().any(known))
    }

    /// What is known of it.
    pub fn known(&self, learnt: &[Kind]) -> Vec<Kind> {
        let fits =
            |kind: &Kind| kind.is_called(&self.name) && self.group.as_deref().is_none_or(|group| group == kind.group);
        builtin().chain(learnt.iter().cloned()).filter(fits).collect()
    }
}

/// The kind that a plural of an agent's list stands for, where that is known; else what is written.
pub fn kind_of<'a>(path: &ManifestPath<'a>) -> &'a str {
    let group = path.group.unwrap_or_default();
    let same = |known: &&(&str, &str, &str, &str)| known.1 == path.kind && known.2 == group;
    BUILTIN.iter().find(same).map_or(path.kind, |known| known.0)
}

/// `v1`, `v1beta1`.
pub fn is_version(text: &str) -> bool {
    let rest = text.strip_prefix('v').unwrap_or_default();
    let after = rest.trim_start_matches(|character: char| character.is_ascii_digit());
    let stage = after.strip_prefix("alpha").or_else(|| after.strip_prefix("beta"));
    let staged = |number: &str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    after.len() < rest.len() && (after.is_empty() || stage.is_some_and(staged))
}

/// The plural that kinds in lower case usually have.
pub fn usual_plural(kind: &str) -> String {
    let [plain, hissed, ies] = plurals(kind);
    let hisses = ["s", "x", "z", "ch", "sh"].iter().any(|end| kind.ends_with(end));
    let vowel = ["ay", "ey", "oy", "uy"].iter().any(|end| kind.ends_with(end));
    match () {
        () if hisses => hissed,
        () if !ies.is_empty() && !vowel => ies,
        () => plain,
    }
}

/// The kinds that the CustomResourceDefinitions of a bundle define.
pub fn learn(reader: &Reader) -> Result<Vec<Kind>> {
    let mut rows = Vec::new();
    reader.texts("kube_objects", "kind", |row, kind| {
        if kind == "CustomResourceDefinition" {
            rows.push(row);
        }
    })?;
    let mut kinds = Vec::new();
    reader.texts_of("kube_objects", "object", &Rows::These(rows), &mut |_, object| {
        let defined = serde_json::from_str::<Definition>(object).ok().map(|definition| definition.spec);
        let kind = defined.map(|spec| Kind {
            kind: spec.names.kind.into(),
            plural: spec.names.plural.into(),
            group: spec.group.into(),
            short: spec.names.short_names.into_iter().map(Cow::Owned).collect(),
        });
        kinds.extend(kind.filter(|kind| !kinds.contains(kind)));
    })?;
    Ok(kinds)
}

#[derive(Deserialize)]
struct Definition {
    spec: DefinitionSpec,
}

#[derive(Deserialize)]
struct DefinitionSpec {
    group: String,
    names: Names,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Names {
    kind: String,
    plural: String,
    #[serde(default)]
    short_names: Vec<String>,
}

fn builtin() -> impl Iterator<Item = Kind> {
    BUILTIN.iter().map(|(kind, plural, group, short)| Kind {
        kind: Cow::Borrowed(kind),
        plural: Cow::Borrowed(plural),
        group: Cow::Borrowed(group),
        short: short.split_whitespace().map(Cow::Borrowed).collect(),
    })
}

/// Kind, plural, group and short names: what every cluster has, and what Open Cluster Management and HyperShift add.
#[rustfmt::skip]
const BUILTIN: &[(&str, &str, &str, &str)] = &[
    ("Binding", "bindings", "", ""),
    ("ComponentStatus", "componentstatuses", "", "cs"),
    ("ConfigMap", "configmaps", "", "cm"),
    ("Endpoints", "endpoints", "", "ep"),
    ("Event", "events", "", "ev"),
    ("LimitRange", "limitranges", "", "limits"),
    ("Namespace", "namespaces", "", "ns"),
    ("Node", "nodes", "", "no"),
    ("PersistentVolume", "persistentvolumes", "", "pv"),
    ("PersistentVolumeClaim", "persistentvolumeclaims", "", "pvc"),
    ("Pod", "pods", "", "po"),
    ("PodTemplate", "podtemplates", "", ""),
    ("ReplicationController", "replicationcontrollers", "", "rc"),
    ("ResourceQuota", "resourcequotas", "", "quota"),
    ("Secret", "secrets", "", ""),
    ("Service", "services", "", "svc"),
    ("ServiceAccount", "serviceaccounts", "", "sa"),
    ("MutatingWebhookConfiguration", "mutatingwebhookconfigurations", "admissionregistration.k8s.io", ""),
    ("ValidatingAdmissionPolicy", "validatingadmissionpolicies", "admissionregistration.k8s.io", ""),
    ("ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings", "admissionregistration.k8s.io", ""),
    ("ValidatingWebhookConfiguration", "validatingwebhookconfigurations", "admissionregistration.k8s.io", ""),
    ("CustomResourceDefinition", "customresourcedefinitions", "apiextensions.k8s.io", "crd crds"),
    ("APIService", "apiservices", "apiregistration.k8s.io", ""),
    ("ControllerRevision", "controllerrevisions", "apps", ""),
    ("DaemonSet", "daemonsets", "apps", "ds"),
    ("Deployment", "deployments", "apps", "deploy"),
    ("ReplicaSet", "replicasets", "apps", "rs"),
    ("StatefulSet", "statefulsets", "apps", "sts"),
    ("HorizontalPodAutoscaler", "horizontalpodautoscalers", "autoscaling", "hpa"),
    ("CronJob", "cronjobs", "batch", "cj"),
    ("Job", "jobs", "batch", ""),
    ("CertificateSigningRequest", "certificatesigningrequests", "certificates.k8s.io", "csr"),
    ("Lease", "leases", "coordination.k8s.io", ""),
    ("EndpointSlice", "endpointslices", "discovery.k8s.io", ""),
    ("Event", "events", "events.k8s.io", "ev"),
    ("FlowSchema", "flowschemas", "flowcontrol.apiserver.k8s.io", ""),
    ("PriorityLevelConfiguration", "prioritylevelconfigurations", "flowcontrol.apiserver.k8s.io", ""),
    ("Ingress", "ingresses", "networking.k8s.io", "ing"),
    ("IngressClass", "ingressclasses", "networking.k8s.io", ""),
    ("NetworkPolicy", "networkpolicies", "networking.k8s.io", "netpol"),
    ("RuntimeClass", "runtimeclasses", "node.k8s.io", ""),
    ("PodDisruptionBudget", "poddisruptionbudgets", "policy", "pdb"),
    ("ClusterRole", "clusterroles", "rbac.authorization.k8s.io", ""),
    ("ClusterRoleBinding", "clusterrolebindings", "rbac.authorization.k8s.io", ""),
    ("Role", "roles", "rbac.authorization.k8s.io", ""),
    ("RoleBinding", "rolebindings", "rbac.authorization.k8s.io", ""),
    ("PriorityClass", "priorityclasses", "scheduling.k8s.io", "pc"),
    ("CSIDriver", "csidrivers", "storage.k8s.io", ""),
    ("CSINode", "csinodes", "storage.k8s.io", ""),
    ("StorageClass", "storageclasses", "storage.k8s.io", "sc"),
    ("VolumeAttachment", "volumeattachments", "storage.k8s.io", ""),
    ("AppliedManifestWork", "appliedmanifestworks", "work.open-cluster-management.io", ""),
    ("ManifestWork", "manifestworks", "work.open-cluster-management.io", ""),
    ("ManagedCluster", "managedclusters", "cluster.open-cluster-management.io", "mcl mcls"),
    ("ManagedClusterSet", "managedclustersets", "cluster.open-cluster-management.io", "mclset mclsets"),
    ("ManagedClusterAddOn", "managedclusteraddons", "addon.open-cluster-management.io", "mca mcas"),
    ("Klusterlet", "klusterlets", "operator.open-cluster-management.io", ""),
    ("HostedCluster", "hostedclusters", "hypershift.openshift.io", "hc hcs"),
    ("HostedControlPlane", "hostedcontrolplanes", "hypershift.openshift.io", "hcp hcps"),
    ("NodePool", "nodepools", "hypershift.openshift.io", "np nps"),
    ("Project", "projects", "project.openshift.io", ""),
    ("Route", "routes", "route.openshift.io", ""),
    ("SecurityContextConstraints", "securitycontextconstraints", "security.openshift.io", "scc"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(asked: &str, word: &str) -> bool {
        KindName::parse(asked).fits(&ManifestPath::parse(word).unwrap(), &[])
    }

    #[test]
    fn a_kind_goes_by_many_names() {
        for asked in ["deploy", "deployment", "Deployment", "deployments", "deployments.apps", "Deployment.v1.apps"] {
            for word in ["Deployment.apps/demo/web", "deployments.apps/demo/web"] {
                assert!(fits(asked, word), "{asked} {word}");
            }
            assert!(!fits(asked, "Service/demo/web"), "{asked}");
        }
        for (asked, word) in [
            ("cm", "ConfigMap/d/a"),
            ("configmaps.v1", "configmaps/d/a"),
            ("netpol", "NetworkPolicy.networking.k8s.io/d/a"),
            ("ingresses", "Ingress.networking.k8s.io/d/a"),
            ("policies", "Policy.example.io/d/a"),
            ("boxes", "Box.example.io/d/a"),
            ("widget", "widgets.example.io/d/a"),
            ("endpoints", "Endpoints/d/a"),
            ("hc", "HostedCluster.hypershift.openshift.io/d/a"),
        ] {
            assert!(fits(asked, word), "{asked} {word}");
        }
    }

    #[test]
    fn a_group_must_be_the_same_and_a_short_name_means_its_own_group() {
        assert!(!fits("deployments.extensions", "Deployment.apps/demo/web"));
        assert!(!fits("configmaps.apps", "ConfigMap/d/a"));
        assert!(fits("service", "Service.serving.knative.dev/d/a"));
        assert!(!fits("svc", "Service.serving.knative.dev/d/a"));
    }

    #[test]
    fn a_definition_teaches_its_short_names() {
        let ox = Kind { kind: "Ox".into(), plural: "oxen".into(), group: "farm.io".into(), short: vec!["o".into()] };
        let path = ManifestPath::parse("Ox.farm.io/d/a").unwrap();
        for asked in ["oxen", "o", "oxen.farm.io"] {
            assert!(KindName::parse(asked).fits(&path, std::slice::from_ref(&ox)), "{asked}");
            assert!(!KindName::parse(asked).fits(&path, &[]), "{asked}");
        }
    }

    #[test]
    fn plurals_are_guessed_as_api_servers_do() {
        for (kind, plural) in [("widget", "widgets"), ("policy", "policies"), ("gateway", "gateways"), ("box", "boxes")]
        {
            assert_eq!(usual_plural(kind), plural);
        }
        assert!(is_version("v1") && is_version("v1beta2") && is_version("v2alpha1"));
        assert!(!is_version("v") && !is_version("vault") && !is_version("v1beta") && !is_version("1"));
    }

    #[test]
    fn every_built_in_plural_is_in_lower_case_and_every_short_name_means_one_kind() {
        let all: Vec<Kind> = builtin().collect();
        for kind in &all {
            assert_eq!(kind.plural, kind.plural.to_lowercase());
            for short in &kind.short {
                let meant: Vec<_> = all.iter().filter(|other| other.short.contains(short)).map(|k| &k.kind).collect();
                assert!(meant.iter().all(|other| **other == kind.kind), "{short}: {meant:?}");
            }
        }
    }
}
