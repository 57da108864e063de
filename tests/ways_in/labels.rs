//! Works by labels, annotations, consumers and namespaces.

use super::made::{Made, Work, applied_work, object};
use crate::support::keeps_contract;
use serde_json::{Value, json};

const CLUSTER_ID: &str = "api.openshift.com/id";

fn rows(works: &[Work]) -> Vec<Value> {
    works.iter().map(Work::row).collect()
}

#[test]
fn a_cluster_id_names_every_work_of_the_cluster() {
    let of = |name, id| Work::new(name, "mgmt-1").labelled(CLUSTER_ID, id);
    let works = [of("hc-a", "2f7c9kq1"), of("np-a", "2f7c9kq1"), of("hc-b", "9z8y7x6w")];
    let gone = of("old-a", "2f7c9kq1");
    let bundle = Made::new().table("resources", &rows(&works)).table("status_events", &[gone.deleted()]).bundle();
    let all = vec!["hc-a".to_owned(), "np-a".to_owned(), "old-a".to_owned()];
    assert_eq!(bundle.resolve("api.openshift.com/id=2f7c9kq1"), ("label".to_owned(), all.clone()));
    assert_eq!(bundle.resolve("2f7c9kq1"), ("label value".to_owned(), all.clone()));
    assert_eq!(bundle.resolve("=2f7c9kq1"), ("label value".to_owned(), all));
    assert_eq!(bundle.resolve("other.io/id=2f7c9kq1").1, Vec::<String>::new());
    let traced = bundle.run("trace", &["2f7c9kq1", "--format", "json"]);
    let traced: Value = serde_json::from_str(&traced.stdout).unwrap();
    let names: Vec<&str> =
        traced["works"].as_array().unwrap().iter().map(|work| work["work_name"].as_str().unwrap()).collect();
    assert_eq!(names, ["hc-a", "np-a", "old-a"]);
    assert_eq!(traced["meanings"][0]["as"], json!(["api.openshift.com/id=2f7c9kq1"]));
    let text = bundle.run("trace", &["2f7c9kq1"]).stdout;
    assert!(text.starts_with("Multiple resources found: 3 works fit \"2f7c9kq1\"\n"), "{text}");
    let summary: Vec<&str> = text.lines().skip(3).take(3).map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(summary, ["hc-a", "np-a", "old-a"], "{text}");
    assert!(text.contains("is taken for a label value (api.openshift.com/id=2f7c9kq1)"), "{text}");
}

#[test]
fn an_azure_id_is_found_in_any_case_however_long() {
    let group = "Night-".repeat(40);
    let id = format!("/subscriptions/1A2B/resourceGroups/{group}/providers/Microsoft.Example/hcpClusters/C1");
    assert!(id.len() > 256);
    let works = [
        Work::new("hc", "mgmt-1").annotated("example.io/resource-id", &id),
        Work::new("np", "mgmt-1").annotated("example.io/resource-id", &format!("{id}/nodePools/p1")),
        Work::new("other", "mgmt-1").annotated("example.io/resource-id", &id.replace("C1", "D1")),
    ];
    let bundle = Made::new().table("resources", &rows(&works)).bundle();
    for asked in [id.clone(), id.to_uppercase(), id.to_lowercase()] {
        assert_eq!(bundle.resolve(&asked), ("label value".to_owned(), vec!["hc".to_owned()]), "{asked}");
    }
    assert_eq!(bundle.resolve(&format!("example.io/resource-id={id}")).1, ["hc"]);
    // What lies around several resources is the beginning of their ids.
    let (taken_for, works) = bundle.resolve(id.strip_suffix("C1").unwrap());
    assert_eq!((taken_for.as_str(), works.len()), ("part of a name or id", 3));
}

#[test]
fn labels_of_manifests_and_of_works_inside_works_lead_to_their_work() {
    let thing = json!({"apiVersion": "example.io/v1", "kind": "HostedThing",
        "metadata": {"name": "c1", "namespace": "clusters", "labels": {"tier": "gold-7"}}});
    let inner = json!({"apiVersion": "work.open-cluster-management.io/v1", "kind": "ManifestWork",
        "metadata": {"name": "inner", "namespace": "local-cluster"}, "spec": {"workload": {"manifests": [thing]}}});
    let works = [Work::new("outer", "mgmt-1").with(json!([inner])), Work::new("other", "mgmt-1")];
    let bundle = Made::new().table("resources", &rows(&works)).bundle();
    for asked in ["tier=gold-7", "gold-7", "hostedthings/clusters/c1", "manifestwork/inner", "clusters", "clusters/c1"]
    {
        assert_eq!(bundle.resolve(asked).1, ["outer"], "{asked}");
    }
}

#[test]
fn labels_in_a_cluster_lead_to_works_that_no_database_tells_of() {
    let work = Work::new("hc-a", "mgmt-1");
    let owner = ("AppliedManifestWork", work.applied(), "u1");
    let mut owned = object("apps/v1", "Deployment", "demo", "web", &[(owner.0, &owner.1, owner.2)]);
    owned["metadata"]["labels"] = json!({"example.io/team": "blue-9"});
    let mut stray = object("apps/v1", "Deployment", "demo", "stray", &[]);
    stray["metadata"]["labels"] = json!({"example.io/team": "red-9"});
    let applied = applied_work(&work.applied(), &work.id(), json!([]), json!({CLUSTER_ID: "2f7c9kq1"}));
    let bundle = Made::new().objects("mgmt", "objects", &[applied, owned, stray]).bundle();
    for asked in ["2f7c9kq1", "example.io/team=blue-9", "blue-9"] {
        assert_eq!(bundle.resolve(asked).1, [work.id()], "{asked}");
    }
    assert_eq!(bundle.resolve("red-9").1, Vec::<String>::new());
}

#[test]
fn a_value_that_fits_too_many_works_lists_them() {
    let works: Vec<Work> =
        (0..60).map(|n| Work::new(&format!("work-{n:02}"), "mgmt-1").labelled("example.io/ready", "true")).collect();
    let bundle = Made::new().table("resources", &rows(&works)).bundle();
    for asked in ["true", "example.io/ready=true", "mgmt-1", "demo"] {
        let answer = bundle.run("trace", &[asked]);
        assert_eq!((answer.code, answer.stdout.as_str()), (Some(2), ""), "{asked}");
        let said: Vec<&str> = answer.stderr.lines().collect();
        assert_eq!(said[0], format!("error: Multiple resources found: {asked:?} fits 60 works"));
        let listed = said.iter().filter(|line| line.contains(" on mgmt-1")).count();
        assert_eq!((listed, said[22]), (20, "    and 40 more"), "{}", answer.stderr);
        assert!(said[2].ends_with("  work-00 on mgmt-1") && said[21].ends_with("  work-19 on mgmt-1"));
    }
    let answer = bundle.run("trace", &["true", "--format", "json"]);
    let json: Value = serde_json::from_str(&answer.stdout).unwrap();
    keeps_contract(&json).unwrap();
    assert_eq!((answer.code, json["works"].as_array().unwrap().len()), (Some(2), 0));
    assert_eq!((json["candidates"].as_array().unwrap().len(), &json["is_part"]), (60, &json!(false)));
    assert_eq!(json["meanings"], json!([{"taken_for": "label value", "as": ["example.io/ready=true"], "works": 60}]));
}

#[test]
fn a_name_that_is_also_a_label_is_a_name_and_says_so() {
    let works = [Work::new("web", "mgmt-1"), Work::new("billing", "mgmt-2").labelled("app", "web")];
    let bundle = Made::new().table("resources", &rows(&works)).bundle();
    assert_eq!(bundle.resolve("web"), ("work name".to_owned(), vec!["web".to_owned()]));
    assert_eq!(bundle.resolve("=web").1, ["billing"]);
    let text = bundle.run("trace", &["web"]).stdout;
    assert!(text.contains("note   web is also a label value (app=web), of 1 other work; =web asks for that"), "{text}");
}

#[test]
fn a_consumer_tells_works_of_one_name_apart() {
    let works = [Work::new("web", "mgmt-1"), Work::new("web", "mgmt-2")];
    let bundle = Made::new().table("resources", &rows(&works)).bundle();
    assert_eq!(bundle.resolve("web").1.len(), 2);
    let answer = bundle.run("resolve", &["mgmt-2/web", "--format", "json"]);
    let found: Value = serde_json::from_str(&answer.stdout).unwrap();
    assert_eq!(found["identifier"]["taken_for"], "consumer and work name");
    assert_eq!(found["identifier"]["works"][0]["resource_id"], works[1].id());
    assert_eq!(bundle.resolve("mgmt-3/web").1, Vec::<String>::new());
}
