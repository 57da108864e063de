//! Objects as they were in another cluster: with their ids, their times, and the deletion that they wait for.
//!
//! An API server gives all of these itself, so they are put where it keeps its objects.

use serde_json::{Value, json};

use super::{Cluster, etcd};

impl Cluster {
    /// Stores an object, or each item of a list, just as it is.
    pub fn restore(&self, object: &Value) {
        if let Some(items) = object["items"].as_array() {
            items.iter().for_each(|item| self.restore(item));
            return;
        }
        let mut object = object.clone();
        object["metadata"].as_object_mut().expect("an object has metadata").remove("resourceVersion");
        let key = self.key_of(&object);
        let put = json!({"key": base64(key.as_bytes()), "value": base64(object.to_string().as_bytes())});
        let etcd = etcd::url().expect("the API server uses it");
        let answer = ureq::post(format!("{etcd}/v3/kv/put")).send(put.to_string());
        assert!(answer.is_ok_and(|answer| answer.status() == 200), "etcd does not take {key}");
    }

    /// `/<prefix>/<plural>/<namespace>/<name>`, with the group before the kinds that a cluster defines itself.
    fn key_of(&self, object: &Value) -> String {
        let collection = self.collection_of(object);
        let prefix = self.folder.path().file_name().unwrap().display().to_string();
        let plural = match collection.rsplit('/').next().unwrap() {
            "services" => "services/specs",
            plural => plural,
        };
        let word = |path: &str| object.pointer(path).and_then(Value::as_str);
        let group = word("/apiVersion").and_then(|version| version.split_once('/')).map_or("", |(group, _)| group);
        let is_own = group.contains('.') && !group.ends_with(".k8s.io");
        let place = collection.contains("/namespaces/").then(|| word("/metadata/namespace")).flatten();
        let parts = [Some(prefix.as_str()), is_own.then_some(group), Some(plural), place, word("/metadata/name")];
        format!("/{}", parts.into_iter().flatten().collect::<Vec<_>>().join("/"))
    }
}

fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |bytes: &[u8]| {
        let number = bytes.iter().fold(0_u32, |number, byte| number << 8 | u32::from(*byte)) << (8 * (3 - bytes.len()));
        let sign = |at: usize| char::from(SIGNS[(number >> (18 - 6 * at)) as usize & 63]);
        (0..4).map(|at| if at <= bytes.len() { sign(at) } else { '=' }).collect::<String>()
    };
    bytes.chunks(3).map(group).collect()
}
