//! Storing objects, as the user `admin`.

use serde_json::{Value, json};

use super::{Cluster, Response, token};

/// Where objects of a kind are stored.
struct Place {
    collection: String,
    /// Status is stored by a request of its own.
    has_status: bool,
}

impl Cluster {
    /// Stores an object, or each item of a list, status included. Ids and versions that came with it are
    /// left out: the API server gives its own. An object that is there is replaced.
    ///
    /// # Panics
    /// When the API server refuses.
    pub fn apply(&self, object: &Value) {
        if let Some(items) = object["items"].as_array() {
            items.iter().for_each(|item| self.apply(item));
            return;
        }
        let place = self.place_of(object);
        let mut object = object.clone();
        let metadata = object["metadata"].as_object_mut().expect("an object has metadata");
        ["uid", "resourceVersion", "managedFields"].iter().for_each(|field| drop(metadata.remove(*field)));
        let path = format!("{}/{}", place.collection, metadata["name"].as_str().expect("an object has a name"));

        let mut answer = self.send("POST", &place.collection, &object);
        if answer.code == 409 {
            object["metadata"]["resourceVersion"] = self.read(&path)["metadata"]["resourceVersion"].clone();
            answer = self.send("PUT", &path, &object);
        }
        let stored = accepted(&answer, &path);
        if place.has_status && !object["status"].is_null() {
            object["metadata"] = stored["metadata"].clone();
            accepted(&self.send("PUT", &format!("{path}/status"), &object), &path);
        }
    }

    /// Deletes what is at a path, e.g. `/api/v1/namespaces/maestro/pods/agent`, at once.
    pub fn delete(&self, path: &str) {
        let now = json!({"apiVersion": "v1", "kind": "DeleteOptions", "gracePeriodSeconds": 0});
        accepted(&self.send("DELETE", path, &now), path);
    }

    /// A namespace with this name.
    pub fn namespace(&self, name: &str) {
        self.apply(&json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}));
    }

    /// `user` may do `verbs` with `resources` of `group` in all namespaces, or in the one given.
    pub fn allow(&self, user: &str, verbs: &[&str], group: &str, resources: &[&str], namespace: Option<&str>) {
        let prefix = if namespace.is_some() { "" } else { "Cluster" };
        let name = format!("{user}-{}-{}", verbs.join("-"), resources.join("-").replace('/', "."));
        let api = "rbac.authorization.k8s.io";
        let metadata = json!({"name": name, "namespace": namespace});
        self.apply(&json!({
            "apiVersion": format!("{api}/v1"), "kind": format!("{prefix}Role"), "metadata": metadata,
            "rules": [{"apiGroups": [group], "resources": resources, "verbs": verbs}],
        }));
        self.apply(&json!({
            "apiVersion": format!("{api}/v1"), "kind": format!("{prefix}RoleBinding"), "metadata": metadata,
            "subjects": [{"kind": "User", "name": user, "apiGroup": api}],
            "roleRef": {"kind": format!("{prefix}Role"), "name": name, "apiGroup": api},
        }));
    }

    /// Installs AppliedManifestWork and ManifestWork, with any fields.
    pub fn crds(&self) {
        self.crd("AppliedManifestWork", "Cluster");
        self.crd("ManifestWork", "Namespaced");
    }

    fn crd(&self, kind: &str, scope: &str) {
        let group = "work.open-cluster-management.io";
        let singular = kind.to_lowercase();
        let plural = format!("{singular}s");
        self.apply(&json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": format!("{plural}.{group}")},
            "spec": {
                "group": group,
                "scope": scope,
                "names": {"kind": kind, "plural": plural, "singular": singular},
                "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
                    "type": "object", "x-kubernetes-preserve-unknown-fields": true,
                }}}],
            },
        }));
        // Served a moment after it is stored.
        let path = format!("/apis/{group}/v1/{plural}");
        while self.get("admin", &path).unwrap().code != 200 {
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    }

    /// The path of the objects of its kind.
    pub(super) fn collection_of(&self, object: &Value) -> String {
        self.place_of(object).collection
    }

    /// Looks the kind up in what the API server says it has.
    fn place_of(&self, object: &Value) -> Place {
        let [version, kind] = ["apiVersion", "kind"].map(|field| object[field].as_str().expect("an object has a kind"));
        let api = if version.contains('/') { "apis" } else { "api" };
        let known = self.read(&format!("/{api}/{version}"));
        let resources = known["resources"].as_array().expect("discovery lists resources");
        let named = |name: &str| resources.iter().find(|resource| resource["name"] == name);
        let resource = resources
            .iter()
            .find(|resource| resource["kind"] == kind && !resource["name"].as_str().unwrap_or_default().contains('/'));
        let resource = resource.unwrap_or_else(|| panic!("{version} has no {kind}"));
        let plural = resource["name"].as_str().expect("a resource has a name");
        let namespace = match object["metadata"]["namespace"].as_str() {
            Some(namespace) if resource["namespaced"] == true => format!("/namespaces/{namespace}"),
            _ => String::new(),
        };
        Place {
            collection: format!("/{api}/{version}{namespace}/{plural}"),
            has_status: named(&format!("{plural}/status")).is_some(),
        }
    }

    /// Stores the object of a YAML document, as `kubectl create -f` would.
    pub fn create_from_yaml(&self, collection: &str, text: &str) {
        accepted(&self.send_as("application/yaml", "POST", collection, text.to_owned()), collection);
    }

    fn read(&self, path: &str) -> Value {
        accepted(&self.get("admin", path).unwrap(), path)
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Response {
        self.send_as("application/json", method, path, body.to_string())
    }

    /// Asks as `admin` with any method; `form` says what the body is.
    pub fn send_as(&self, form: &str, method: &str, path: &str, body: String) -> Response {
        let request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.url()))
            .header("Authorization", format!("Bearer {}", token("admin")))
            .header("Content-Type", form)
            .header("Accept", "application/json")
            .body(body)
            .unwrap();
        let agent = self.agent.configure_request(request).allow_non_standard_methods(true).build();
        let mut answer = self.agent.run(agent).unwrap();
        Response { code: answer.status().as_u16(), body: answer.body_mut().read_to_string().unwrap() }
    }
}

fn accepted(answer: &Response, path: &str) -> Value {
    assert!((200..300).contains(&answer.code), "{path}: {} {}", answer.code, answer.body);
    serde_json::from_str(&answer.body).unwrap()
}
