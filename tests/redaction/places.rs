//! Where secrets get into evidence, in every form in which evidence is handed over.

use super::shapes::{self, Seed, Written};
use serde_json::{Value, json};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// What was put somewhere, and what must still be there afterwards.
#[derive(Default)]
pub struct Planted {
    /// What it is, where, and the secret.
    pub secrets: Vec<(String, String)>,
    /// Ids, names, digests and versions beside the secrets.
    pub kept: Vec<String>,
}

/// Builds a text around a secret, with the names of things that traces need.
type Place = (&'static str, fn(&str, &Around) -> Value);
type LogPlace = (&'static str, fn(&str, &Around) -> String);

/// What stands beside a secret.
pub struct Around {
    id: String,
    op_id: String,
    event: String,
    digest: String,
    name: String,
}

impl Around {
    fn new(seed: &mut Seed) -> Self {
        let (id, op_id, event, digest) = (seed.uuid(), seed.uuid(), seed.uuid(), seed.digest());
        Self { name: format!("work-{}", &event[..8]), id, op_id, event, digest }
    }

    fn kept(&self) -> [String; 5] {
        [&self.id, &self.op_id, &self.event, &self.digest, &self.name].map(String::clone)
    }

    fn config_map(&self, text: &str) -> Value {
        json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": self.name, "namespace": "demo"}, "data": {"note": text}})
    }

    fn event(&self, manifest: &Value) -> Value {
        json!({
            "id": self.event, "specversion": "1.0", "resourceid": self.id, "resourceversion": 7, "clustername": "cluster1",
            "type": "io.open-cluster-management.works.v1alpha1.manifestbundles.spec.create_request",
            "metadata": {"name": self.name, "uid": self.id}, "data": {"manifests": [manifest]},
            "logtracing": json!({"logging.open-cluster-management.io/op-id": self.op_id}).to_string(),
            "image": format!("quay.example/maestro@{}", self.digest),
        })
    }
}

/// In the payload or the status of a row.
const OF_ROWS: &[Place] = &[
    ("manifest", |text, around| around.event(&around.config_map(text))),
    ("JSON in a manifest", |text, around| around.event(&around.config_map(&json!({"note": text}).to_string()))),
    ("arguments", |text, around| {
        around.event(&json!({"kind": "Pod", "spec": {"containers": [{"args": ["-c", text], "image": around.digest}]}}))
    }),
    ("work inside a work", |text, around| {
        let work = json!({"kind": "ManifestWork", "spec": {"workload": {"manifests": [around.config_map(text)]}}});
        around.event(&work)
    }),
    ("last applied", |text, around| {
        let applied = around.config_map(text).to_string();
        let annotations = json!({"kubectl.kubernetes.io/last-applied-configuration": applied});
        around.event(&json!({"kind": "ConfigMap", "metadata": {"name": around.name, "annotations": annotations}}))
    }),
    ("feedback", |text, around| {
        let value =
            json!({"fieldValue": {"type": "JsonRaw", "jsonRaw": json!({"a": [text]}).to_string()}, "name": "raw"});
        around.event(&json!({"statusFeedbacks": {"values": [value]}, "name": around.name}))
    }),
    ("condition", |text, around| around.event(&json!({"conditions": [{"type": "Applied", "message": text}]}))),
];

fn go(text: &str) -> String {
    Value::from(text).to_string()
}

fn klog(around: &Around, rest: &str) -> String {
    format!(
        "I1116 01:27:01.279388       1 main.go:215] \"Received event\" resourceID=\"{}\" op-id=\"{}\" image=\"x@{}\" work=\"{}\" event=\"{}\" {rest}",
        around.id, around.op_id, around.digest, around.name, around.event
    )
}

/// In a line of a log.
const OF_LOGS: &[LogPlace] = &[
    ("value", |text, around| klog(around, &format!("err={}", go(text)))),
    ("event", |text, around| klog(around, &format!("evt={}", go(&around.event(&around.config_map(text)).to_string())))),
    ("event in JSON", |text, around| {
        let inner = around.event(&around.config_map(text)).to_string();
        klog(around, &format!("body={}", go(&json!({"status": 7, "response_body": inner}).to_string())))
    }),
    ("event in JSON in JSON", |text, around| {
        let inner = json!({"body": around.event(&around.config_map(text)).to_string()}).to_string();
        klog(around, &format!("body={}", go(&json!({"response": inner}).to_string())))
    }),
    ("block", |text, around| klog(around, &format!("err=<\n\t{}\n >", text.replace('\n', "\n\t")))),
    ("message", |text, around| {
        // Some secrets reach to the end of their line.
        let told = format!("{} {} {} {} {} {text}", around.id, around.op_id, around.event, around.digest, around.name);
        format!("E1116 01:27:01.279388       1 main.go:215] {}", go(&told))
    }),
    ("zap", |text, around| {
        let error = format!("{} {} {} {}", around.op_id, around.event, around.digest, around.name);
        let line = json!({"level": "error", "ts": 1763256421.5, "caller": "a.go:1", "msg": text, "resourceID": around.id, "error": error});
        line.to_string()
    }),
];

/// Puts every shape into every place of every form.
pub fn plant(folder: &Path) -> Planted {
    let mut planted = Planted::default();
    let mut seed = Seed::new(8);
    let rows = |form: &str, planted: &mut Planted, seed: &mut Seed| {
        let mut rows = Vec::new();
        each(OF_ROWS, form, planted, seed, |place, text, around| {
            let value = place(text, around);
            rows.push((around.id.clone(), value.to_string()));
        });
        rows
    };
    write(&folder.join("jsonl/resources.jsonl"), &json_lines(&rows("JSON lines", &mut planted, &mut seed)));
    write(&folder.join("csv/resources.csv"), &csv(&rows("CSV", &mut planted, &mut seed)));
    write(&folder.join("copy/resources.copy"), &copy(&rows("COPY", &mut planted, &mut seed)));
    write(&folder.join("dump/dump.sql"), &inserts(&rows("dump", &mut planted, &mut seed)));
    write(&folder.join("kube/objects.json"), &objects(&mut planted, &mut seed));
    write(&folder.join("kube/events.json"), &kube_events(&mut planted, &mut seed));
    write(&folder.join("yaml/objects.yaml"), &yaml(&mut planted, &mut seed));
    for (form, wrap) in LOG_FORMS {
        let mut lines = Vec::new();
        each(OF_LOGS, form, &mut planted, &mut seed, |place, text, around| lines.push(place(text, around)));
        write(&folder.join(format!("logs/{form}/maestro-0/service.log")), &wrap(&lines));
    }
    unknown(folder, &mut planted, &mut seed);
    planted
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn each<P>(
    places: &[(&'static str, P)],
    form: &str,
    planted: &mut Planted,
    seed: &mut Seed,
    mut put: impl FnMut(&P, &str, &Around),
) {
    for (name, place) in places {
        for Written { shape, text, secrets } in shapes::all(seed) {
            let around = Around::new(seed);
            put(place, &text, &around);
            planted.secrets.extend(secrets.into_iter().map(|secret| (format!("{shape} in {name}, {form}"), secret)));
            planted.kept.extend(around.kept());
        }
    }
}

const COLUMNS: &str = "id,name,version,source,consumer_name,payload";

fn json_lines(rows: &[(String, String)]) -> String {
    let line = |(id, payload): &(String, String)| {
        let payload: Value = serde_json::from_str(payload).unwrap();
        json!({"id": id, "name": id, "version": 1, "source": "s", "consumer_name": "cluster1", "payload": payload})
            .to_string()
            + "\n"
    };
    rows.iter().map(line).collect()
}

fn csv(rows: &[(String, String)]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS.split(',')).unwrap();
    for (id, payload) in rows {
        writer.write_record([id, id, "1", "s", "cluster1", payload]).unwrap();
    }
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}

fn copy(rows: &[(String, String)]) -> String {
    let at = "2026-11-16 01:27:03.28204+00";
    let line = |(id, payload): &(String, String)| {
        let payload = payload.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n");
        format!("{id}\t{id}\t{at}\t{at}\t\\N\ts\tcluster1\t1\t\t{payload}\tnull\n")
    };
    rows.iter().map(line).collect()
}

fn inserts(rows: &[(String, String)]) -> String {
    let line = |(id, payload): &(String, String)| {
        let payload = payload.replace('\'', "''");
        format!("INSERT INTO public.resources ({COLUMNS}) VALUES ('{id}', '{id}', 1, 's', 'cluster1', '{payload}');\n")
    };
    let lines: String = rows.iter().map(line).collect();
    format!("--\n-- PostgreSQL database dump\n--\n\n{lines}")
}

fn objects(planted: &mut Planted, seed: &mut Seed) -> String {
    let mut items = Vec::new();
    each(&OF_ROWS[..5], "objects", planted, seed, |place, text, around| {
        let mut object = place(text, around)["data"]["manifests"][0].clone();
        object["apiVersion"] = "v1".into();
        object["metadata"]["name"] = around.name.as_str().into();
        let facts = json!({"op": around.op_id, "event": around.event, "image": around.digest});
        object["metadata"]["labels"] = facts;
        object["metadata"]["uid"] = around.id.as_str().into();
        items.push(object);
    });
    json!({"apiVersion": "v1", "kind": "List", "items": items}).to_string()
}

fn kube_events(planted: &mut Planted, seed: &mut Seed) -> String {
    const MESSAGE: &[(&str, ())] = &[("Event", ())];
    let mut items = Vec::new();
    each(MESSAGE, "objects", planted, seed, |(), text, around| {
        let labels = json!({"op": around.op_id, "event": around.event, "image": around.digest, "id": around.id});
        items.push(json!({
            "apiVersion": "v1", "kind": "Event", "metadata": {"name": around.name, "labels": labels},
            "message": text, "lastTimestamp": "2026-11-16T01:27:03Z",
        }));
    });
    json!({"apiVersion": "v1", "kind": "List", "items": items}).to_string()
}

fn yaml(planted: &mut Planted, seed: &mut Seed) -> String {
    const DATA: &[(&str, ())] = &[("ConfigMap", ())];
    let mut out = String::new();
    each(DATA, "YAML", planted, seed, |(), text, around| {
        let Around { id, op_id, event, digest, name } = around;
        let labels = format!("    op: {op_id}\n    event: {event}\n    image: \"{digest}\"\n");
        let head =
            format!("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n  uid: {id}\n  labels:\n{labels}");
        writeln!(out, "---\n{head}data:\n  note: {}", go(text)).unwrap();
    });
    out
}

/// A column that nobody knows, and pieces that nobody understands.
fn unknown(folder: &Path, planted: &mut Planted, seed: &mut Seed) {
    const COLUMN: &[(&str, ())] = &[("unknown column", ())];
    const BROKEN: &[(&str, ())] = &[("broken row", ())];
    let mut rows = String::new();
    each(COLUMN, "JSON lines", planted, seed, |(), text, around| {
        let row = json!({
            "id": around.id, "name": around.name, "version": 1, "source": around.op_id, "consumer_name": "cluster1",
            "extra": text, "digest": around.digest, "event": around.event,
        });
        writeln!(rows, "{row}").unwrap();
    });
    each(BROKEN, "JSON lines", planted, seed, |(), text, around| {
        let Around { id, op_id, event, digest, name } = around;
        let names = format!(
            "\"id\": \"{id}\", \"op\": \"{op_id}\", \"event\": \"{event}\", \"image\": \"{digest}\", \"name\": \"{name}\""
        );
        writeln!(rows, "{{{names}, \"payload\": {{\"note\": {}}}, oops}}", go(text)).unwrap();
    });
    write(&folder.join("odd/resources.jsonl"), &rows);
}

type Wrap = fn(&[String]) -> String;

/// What carries a log.
const LOG_FORMS: &[(&str, Wrap)] = &[
    ("raw", |entries| each_line(entries, |line| line.to_owned())),
    ("timestamps", |entries| each_line(entries, |line| format!("2026-11-16T01:27:01.279388000Z {line}"))),
    ("cri", |entries| each_line(entries, |line| format!("2026-11-16T01:27:01.279388000Z stderr F {line}"))),
    ("docker", |entries| {
        let of =
            |line: &str| json!({"log": format!("{line}\n"), "stream": "stderr", "time": "2026-11-16T01:27:01.279388Z"});
        each_line(entries, |line| of(line).to_string())
    }),
    ("kusto", |entries| {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(["timestamp", "log", "cluster", "namespace_name", "container_name", "pod_name"]).unwrap();
        for entry in entries {
            writer
                .write_record(["2026-11-16T01:27:01.279388Z", entry, "svc", "maestro", "service", "maestro-0"])
                .unwrap();
        }
        String::from_utf8(writer.into_inner().unwrap()).unwrap()
    }),
];

fn each_line(entries: &[String], wrap: impl Fn(&str) -> String) -> String {
    entries.iter().flat_map(|entry| entry.split('\n')).map(|line| wrap(line) + "\n").collect()
}
