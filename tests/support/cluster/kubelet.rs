//! Pods: objects on a Node, and what their containers wrote and run.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use super::{Cluster, program};
use crate::support::process::Process;

/// The Node that all pods are on.
const NODE: &str = "node-1";

pub struct Kubelet {
    _process: Process,
}

impl Cluster {
    /// Starts the kubelet and registers its Node, once; the Node's name.
    pub fn kubelet(&self) -> &'static str {
        self.kubelet.get_or_init(|| {
            fs::create_dir_all(self.logs_dir()).unwrap();
            let mut command = Command::new(program("kubelet").expect("it is built with the API server"));
            let mut process = Process::start(command.arg(self.logs_dir()), self.folder.path().join("kubelet.log"));
            // The first thing it says is its port.
            let port = process.wait_for(|kubelet| kubelet.said().split_once('\n')?.0.parse::<u16>().ok());
            self.apply(&json!({
                "apiVersion": "v1",
                "kind": "Node",
                "metadata": {"name": NODE},
                "status": {
                    "addresses": [{"type": "InternalIP", "address": "127.0.0.1"}],
                    "daemonEndpoints": {"kubeletEndpoint": {"Port": port.unwrap()}},
                },
            }));
            Kubelet { _process: process }
        });
        NODE
    }

    /// What the kubelet serves; `tests/cluster/kubelet/main.go` lists the files.
    pub fn logs_dir(&self) -> PathBuf {
        self.folder.path().join("containers")
    }

    /// A running pod on the kubelet's Node, in a namespace that is there. A container that restarted has a
    /// container before it that failed.
    pub fn pod(&self, namespace: &str, name: &str, containers: &[&str], restarts: u32) {
        let node = self.kubelet();
        let image = "registry.example.com/maestro:1";
        let spec = |container: &&str| json!({"name": container, "image": image});
        let status = |container: &&str| {
            let id = |life: u32| format!("containerd://{name}-{container}-{life}");
            let before = json!({"terminated": {"exitCode": 1, "reason": "Error", "containerID": id(restarts.saturating_sub(1))}});
            json!({
                "name": container, "image": image, "imageID": image, "containerID": id(restarts),
                "ready": true, "started": true, "restartCount": restarts,
                "state": {"running": {"startedAt": "2026-01-01T00:00:00Z"}},
                "lastState": if restarts > 0 { before } else { json!({}) },
            })
        };
        self.apply(&json!({
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": name, "namespace": namespace, "labels": {"app": containers.first()}},
            "spec": {"nodeName": node, "containers": containers.iter().map(spec).collect::<Vec<Value>>()},
            "status": {
                "phase": "Running",
                "containerStatuses": containers.iter().map(status).collect::<Vec<Value>>(),
            },
        }));
    }

    /// What a container wrote. A line that begins with a time in RFC 3339 and a blank was written then
    /// and does not have it in its text; others were written when the one before them was. To give a text
    /// that itself begins with times, put the time of writing before each line.
    pub fn put_log(&self, namespace: &str, pod: &str, container: &str, text: &str) {
        self.put(namespace, pod, &format!("{container}.log"), &as_on_a_node(text));
    }

    /// What it wrote before it restarted, in the same way.
    pub fn put_previous_log(&self, namespace: &str, pod: &str, container: &str, text: &str) {
        self.put(namespace, pod, &format!("{container}.previous.log"), &as_on_a_node(text));
    }

    /// Lets commands run in a container, with these variables and no others.
    pub fn put_environment(&self, namespace: &str, pod: &str, container: &str, variables: &[(String, String)]) {
        let lines: String = variables.iter().map(|(key, value)| format!("{key}={value}\n")).collect();
        self.put(namespace, pod, &format!("{container}.env"), &lines);
    }

    /// The log is sent and its answer never ends.
    pub fn stall_log(&self, namespace: &str, pod: &str, container: &str) {
        self.put(namespace, pod, &format!("{container}.log.stall"), "");
    }

    /// The connection to the kubelet breaks in the middle of the log.
    pub fn cut_log(&self, namespace: &str, pod: &str, container: &str) {
        self.put(namespace, pod, &format!("{container}.log.cut"), "");
    }

    fn put(&self, namespace: &str, pod: &str, file: &str, text: &str) {
        let folder = self.logs_dir().join(namespace).join(pod);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(file), text).unwrap();
    }
}

/// `<time> stderr F <text>`: how container runtimes store what was written.
fn as_on_a_node(text: &str) -> String {
    let mut time = "2026-01-01T00:00:00Z";
    let mut stored = String::new();
    for line in text.lines() {
        let (at, written) = line.split_once(' ').filter(|(word, _)| is_time(word)).unwrap_or((time, line));
        time = at;
        stored.push_str(&format!("{at} stderr F {written}\n"));
    }
    stored
}

fn is_time(word: &str) -> bool {
    chrono::DateTime::parse_from_rfc3339(word).is_ok()
}
