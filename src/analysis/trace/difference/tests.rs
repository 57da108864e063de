//! A healthy object never differs, and a changed one does.

use super::*;
use proptest::prelude::*;
use serde_json::json;

fn paths(asked: &Value, found: &Value) -> Vec<String> {
    differences(asked, found).into_iter().map(|difference| difference.path).collect()
}

fn deployment(spec: &Value) -> Value {
    json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "frontend", "namespace": "demo"}, "spec": spec})
}

#[test]
fn an_object_as_a_server_stores_it_is_as_asked() {
    let asked = json!({
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": {"name": "frontend", "namespace": "demo", "creationTimestamp": null, "labels": {"tier": "web", "old-": ""}},
        "spec": {
            "replicas": 2, "strategy": {}, "paused": false,
            "selector": {"matchLabels": {"app": "frontend"}},
            "template": {
                "metadata": {"creationTimestamp": null, "labels": {"app": "frontend"}},
                "spec": {
                    "containers": [{
                        "name": "web", "image": "nginx:1.27", "args": [],
                        "resources": {"requests": {"cpu": 0.5, "memory": "1Gi"}},
                        "ports": [{"containerPort": 53, "protocol": "UDP"}, {"containerPort": 53}],
                        "env": [{"name": "EMPTY", "value": ""}, {"name": "MODE", "value": "fast"}],
                        "livenessProbe": {"httpGet": {"path": "/", "port": "http"}, "timeoutSeconds": 0}
                    }],
                    "tolerations": [{"operator": "Exists"}]
                }
            }
        },
        "status": {"replicas": 7}
    });
    let found = json!({
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": {
            "name": "frontend", "namespace": "demo", "creationTimestamp": "2026-01-15T09:45:12Z", "uid": "u", "generation": 1,
            "labels": {"tier": "web"}, "annotations": {"deployment.kubernetes.io/revision": "1"}
        },
        "spec": {
            "replicas": 2, "progressDeadlineSeconds": 600, "strategy": {"type": "RollingUpdate"},
            "selector": {"matchLabels": {"app": "frontend"}},
            "template": {
                "metadata": {"labels": {"app": "frontend"}},
                "spec": {
                    "containers": [
                        {"name": "injected", "image": "proxy:1"},
                        {
                            "name": "web", "image": "nginx:1.27", "imagePullPolicy": "IfNotPresent",
                            "resources": {"requests": {"cpu": "500m", "memory": "1024Mi"}},
                            "ports": [{"containerPort": 53, "protocol": "TCP"}, {"containerPort": 53, "protocol": "UDP"}],
                            "env": [{"name": "MODE", "value": "fast"}, {"name": "EMPTY"}],
                            "livenessProbe": {"httpGet": {"path": "/", "port": "http", "scheme": "HTTP"}, "timeoutSeconds": 1}
                        }
                    ],
                    "tolerations": [{"key": "node", "operator": "Exists"}, {"operator": "Exists"}]
                }
            }
        },
        "status": {"replicas": 2}
    });
    assert_eq!(differences(&asked, &found), []);
}

#[test]
fn a_difference_tells_where_it_is() {
    let asked = deployment(&json!({
        "replicas": 2, "template": {"spec": {"containers": [{"name": "c", "image": "nginx:1.28", "args": ["a", "b"]}]}}
    }));
    let found = deployment(&json!({
        "replicas": 0, "template": {"spec": {"containers": [{"name": "c", "image": "nginx:1.27", "args": ["b", "a"]}]}}
    }));
    let container = ".spec.template.spec.containers[c]";
    let expected = [".spec.replicas".to_owned(), format!("{container}.image"), format!("{container}.args")];
    assert_eq!(paths(&asked, &found), expected);
    let image = &differences(&asked, &found)[1];
    assert_eq!((&image.asked, &image.found), (&json!("nginx:1.28"), &json!("nginx:1.27")));
}

#[test]
fn what_is_asked_and_absent_is_a_difference() {
    let asked =
        deployment(&json!({"template": {"spec": {"containers": [{"name": "a"}, {"name": "b"}]}}, "x": {"y": 1}}));
    let found = deployment(&json!({"template": {"spec": {"containers": [{"name": "a"}]}}}));
    assert_eq!(paths(&asked, &found), [".spec.template.spec.containers[b]", ".spec.x"]);
    assert!(differences(&asked, &found).iter().all(|difference| difference.found.is_null()));
}

#[test]
fn lists_without_names_are_compared_by_place_or_by_content() {
    let role = |rules: Value| json!({"apiVersion": "v1", "kind": "Role", "rules": rules});
    let rule = |verb: &str| json!({"verbs": [verb], "resources": ["pods"]});
    let asked = role(json!([rule("get"), rule("list")]));
    assert_eq!(paths(&asked, &role(json!([rule("get"), rule("watch")]))), [".rules[1].verbs"]);
    assert!(paths(&asked, &role(json!([rule("list"), rule("watch"), rule("get")]))).is_empty());
    assert_eq!(paths(&asked, &role(json!([rule("get")]))), [".rules[1]"]);
}

#[test]
fn data_of_a_config_map_is_compared_to_the_letter() {
    let map = |value: &str| json!({"apiVersion": "v1", "kind": "ConfigMap", "data": {"cpu.limit": value}});
    assert_eq!(paths(&map("0.5"), &map("500m")), [".data[\"cpu.limit\"]"]);
    assert_eq!(paths(&map(""), &map("x")), [".data[\"cpu.limit\"]"]);
    assert!(paths(&map("0.5"), &map("0.5")).is_empty());
}

#[test]
fn a_secret_is_compared_and_never_shown() {
    let asked = json!({
        "apiVersion": "v1", "kind": "Secret", "type": "Opaque",
        "data": {"user": "YWRt\naW4=", "replaced": "b2xk"}, "stringData": {"password": "open sesame", "replaced": "new"}
    });
    let stored = json!({
        "apiVersion": "v1", "kind": "Secret", "type": "Opaque",
        "data": {"user": "YWRtaW4=", "password": "b3BlbiBzZXNhbWU=", "replaced": "bmV3"}
    });
    assert_eq!(differences(&asked, &stored), []);
    let changed = json!({"apiVersion": "v1", "kind": "Secret", "type": "Opaque", "data": {"user": "c29tZW9uZQ=="}});
    let found = differences(&asked, &changed);
    let paths: Vec<&str> = found.iter().map(|difference| difference.path.as_str()).collect();
    assert_eq!(paths, [".data.user", ".stringData.password", ".stringData.replaced"]);
    let said = format!("{found:?}");
    assert!(!["YWRt", "c29tZW9uZQ", "sesame", "new"].iter().any(|secret| said.contains(secret)), "{said}");
    let emptied = json!({"apiVersion": "v1", "kind": "Secret", "type": "Opaque"});
    assert_eq!(differences(&asked, &emptied), [], "evidence is handed over without the data of Secrets");
}

#[test]
fn a_secret_inside_a_work_is_hidden_too() {
    let work = |password: &str| {
        json!({"apiVersion": "work.open-cluster-management.io/v1", "kind": "ManifestWork", "spec": {"workload": {"manifests": [
            {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "stringData": {"password": password}, "data": {}}
        ]}}})
    };
    assert_eq!(differences(&work("open"), &work("open")), []);
    let gone = json!({"apiVersion": "work.open-cluster-management.io/v1", "kind": "ManifestWork", "spec": {"x": 1}});
    for (found, path) in
        [(work("closed"), ".spec.workload.manifests[Secret/s].stringData.password"), (gone, ".spec.workload")]
    {
        let differences = differences(&work("open sesame"), &found);
        assert_eq!(differences.iter().map(|difference| difference.path.as_str()).collect::<Vec<_>>(), [path]);
        assert!(!format!("{differences:?}").contains("sesame"), "{differences:?}");
    }
}

#[test]
fn what_cannot_be_compared_does_not_differ() {
    let asked = deployment(&json!({"replicas": 2}));
    let other_version = json!({"apiVersion": "apps/v2", "kind": "Deployment", "spec": {"replicas": 1}});
    let only_metadata = json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "frontend"}});
    let redacted = deployment(&json!({"replicas": "REDACTED"}));
    for found in [other_version, only_metadata, redacted, json!("text")] {
        assert_eq!(differences(&asked, &found), [], "{found}");
    }
}

#[test]
fn base64_is_that_of_everyone() {
    for (plain, encoded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
        assert_eq!(base64(plain.as_bytes()), encoded);
    }
}

#[test]
fn a_stranger_cannot_make_it_run_for_ever() {
    let deep = |leaf: Value| (0..8).fold(leaf, |inner, _| json!([inner, [inner, 1]]));
    let asked = deployment(&json!({"lists": vec![deep(json!([1])); 40]}));
    let found = deployment(&json!({"lists": vec![deep(json!([2])); 41]}));
    let mut walk = Walk { found: Vec::new(), budget: BUDGET };
    walk.manifest("", asked.as_object().unwrap(), found.as_object().unwrap());
    assert_eq!(walk.budget, 0, "each is compared with each, until enough is enough");
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z]{0,6}".prop_map(Value::from),
        "[0-9]{1,3}(m|Gi|s|h)?".prop_map(Value::from),
    ]
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("name".to_owned()),
        Just("port".to_owned()),
        Just("protocol".to_owned()),
        Just("metadata".to_owned()),
        Just("kind".to_owned()),
        Just("args".to_owned()),
        Just("data".to_owned()),
        "[a-z.]{1,5}",
    ]
}

fn any_value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((key(), inner), 0..5).prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn any_object() -> impl Strategy<Value = Value> {
    let kind = prop_oneof![Just("ConfigMap"), Just("Secret"), Just("Deployment"), Just("ManifestWork")];
    (kind, prop::collection::vec((key(), any_value()), 0..6)).prop_map(|(kind, fields)| {
        let mut object: Map<String, Value> = fields.into_iter().collect();
        object.insert("apiVersion".to_owned(), "v1".into());
        object.insert("kind".to_owned(), kind.into());
        Value::Object(object)
    })
}

/// The same with fields added at every level, as a server adds them.
fn with_more(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut more: Map<String, Value> =
                fields.iter().map(|(key, value)| (key.clone(), with_more(value))).collect();
            more.entry("addedByTheServer").or_insert_with(|| json!({"default": 1}));
            more.entry("name").or_insert_with(|| json!("added"));
            Value::Object(more)
        }
        Value::Array(items) => items.iter().map(with_more).collect(),
        plain => plain.clone(),
    }
}

/// The same with one of its words replaced, which `place` counts down to.
fn with_one_word_changed(value: &Value, place: &mut usize) -> Value {
    match value {
        Value::Object(fields) => fields
            .iter()
            .map(|(key, value)| (key.clone(), with_one_word_changed(value, place)))
            .collect::<Map<_, _>>()
            .into(),
        Value::Array(items) => items.iter().map(|item| with_one_word_changed(item, place)).collect(),
        Value::String(text) if text.bytes().all(|byte| byte.is_ascii_lowercase()) && !text.is_empty() => {
            *place = place.wrapping_sub(1);
            if *place == usize::MAX { Value::from("CHANGED") } else { value.clone() }
        }
        plain => plain.clone(),
    }
}

proptest! {
    #[test]
    fn an_object_with_added_fields_is_as_asked(object in any_object()) {
        prop_assert_eq!(differences(&object, &object), []);
        prop_assert_eq!(differences(&object, &with_more(&object)), []);
    }

    #[test]
    fn a_changed_word_is_found(part in any_value(), word in any::<usize>()) {
        let spec = json!({"some": "thing", "part": part});
        let mut place = usize::MAX;
        with_one_word_changed(&spec, &mut place);
        let words = usize::MAX - place;
        let changed = with_one_word_changed(&spec, &mut (word % words));
        prop_assert_ne!(&changed, &spec);
        prop_assert!(repeats(&spec) || !differences(&deployment(&spec), &deployment(&changed)).is_empty());
    }

    #[test]
    fn anything_can_be_compared_with_anything(asked in any_object(), found in any_object()) {
        for difference in differences(&asked, &found) {
            prop_assert!(difference.path.starts_with(['.', '[']), "{}", difference.path);
        }
    }
}

/// A word stands twice in one list: the other one is still there.
fn repeats(value: &Value) -> bool {
    match value {
        Value::Array(items) => {
            let again = |place: usize, item: &Value| items.iter().skip(place + 1).any(|other| other == item);
            items.iter().enumerate().any(|(place, item)| again(place, item) || repeats(item))
        }
        Value::Object(fields) => fields.values().any(repeats),
        _ => false,
    }
}

#[test]
fn metadata_alone_does_not_show_whether_the_rest_is_as_asked() {
    let asked = deployment(&json!({"replicas": 2}));
    let bare = json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "frontend"}});
    assert!(is_out_of_sight(&asked, &bare) && !is_out_of_sight(&asked, &asked));
    assert!(!is_out_of_sight(&bare, &bare), "nothing else was asked for");
}
