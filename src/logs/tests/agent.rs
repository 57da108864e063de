//! The agent's lines about a work and its objects, with the ids that other builds add and without.

use super::*;

fn applied(work: &str) -> String {
    format!("{}-{work}", "0123456789abcdef".repeat(4))
}

#[test]
fn a_work_that_the_watch_sees_is_the_resource() {
    for change in ["ADDED", "MODIFIED", "DELETED"] {
        keys!(format!("Receive the event {change} for {RESOURCE}"), { resource_id: RESOURCE });
    }
    keys!("Receive the event ADDED for overture", { work_name: "overture" });
    keys!("Receive the event BOOKMARK for ", {});
}

#[test]
fn the_name_of_a_work_is_the_resource_or_what_the_user_called_it() {
    let requeue = |work| format!(r#""Requeue manifestwork" manifestWorkName="{work}" op-id="{OP}" requeue time="5m""#);
    keys!(requeue(RESOURCE), { resource_id: RESOURCE, op_id: OP });
    keys!(requeue("overture"), { work_name: "overture", op_id: OP });
    let reconciling = |work| format!(r#""Reconciling AppliedManifestWork" appliedManifestWorkName="{work}""#);
    keys!(reconciling(applied(RESOURCE)), { applied_work: applied(RESOURCE), resource_id: RESOURCE });
    keys!(reconciling(applied("overture")), { applied_work: applied("overture"), work_name: "overture" });
    keys!(reconciling("odd".into()), { applied_work: "odd" });
}

#[test]
fn an_applied_object_is_named_by_its_resource() {
    let messages = ["Server side applied", "Created resource because it was missing", "Noop because its read-only"];
    for message in messages {
        let body = format!(
            r#""{message}" gvr="apps/v1, Resource=deployments" resourceNamespace="hall" resourceName="stage" fieldManager="work-agent""#
        );
        keys!(body, { object_resource: "deployments", object_group: "apps", object_namespace: "hall", object_name: "stage" });
    }
    let body = r#""Updated resource" gvr="/v1, Resource=namespaces" resourceNamespace="" resourceName="hall""#;
    keys!(body, { object_resource: "namespaces", object_group: "", object_name: "hall" });
}

#[test]
fn an_applied_object_is_named_by_its_kind() {
    let body =
        r#""INFO: Created Role.rbac.authorization.k8s.io/r -n hall because it was missing" reason="RoleCreated""#;
    keys!(body, {
        object_resource: "Role", object_group: "rbac.authorization.k8s.io", object_namespace:
        "hall", object_name: "r",
        reason: "RoleCreated",
    });
    let body = r#""INFO: Updated ConfigMap/cm -n hall:\ncause by changes in data.k" reason="ConfigMapUpdated""#;
    keys!(body, {
        object_resource: "ConfigMap", object_group: "", object_namespace: "hall", object_name: "cm",
        reason: "ConfigMapUpdated",
    });
    let body = r#"ConfigMap "hall/cm" changes: {"data":{"k":"v"}}"#;
    keys!(body, { object_resource: "ConfigMap", object_group: "", object_namespace: "hall", object_name: "cm" });
    let body = r#""WARNING: Failed to create Namespace/hall: namespaces is forbidden""#;
    keys!(body, {
        object_resource: "Namespace", object_group: "", object_name: "hall",
        error: "namespaces is forbidden",
    });
}

#[test]
fn a_patch_names_the_applied_work_that_becomes_an_owner() {
    let owner = |name: &str| format!(r#"{{"kind":"AppliedManifestWork","name":"{name}"}}"#);
    let owners = format!("{},{}", owner("old"), owner(&applied(RESOURCE)));
    let patch = quote(&format!(r#"{{"metadata":{{"ownerReferences":[{owners}],"uid":"u"}}}}"#));
    let body = format!(r#""Patching resource" gvr="/v1, Resource=configmaps" resourceName="cm" patch={patch}"#);
    keys!(body, {
        object_resource: "configmaps", object_group: "", object_name: "cm", applied_work:
        applied(RESOURCE),
        resource_id: RESOURCE,
    });
}

#[test]
fn a_failed_patch_names_the_work() {
    let body = |kind, name| format!(r#""Object is patched" objectType="{kind}" objectName="{name}" patch="{{}}""#);
    keys!(body("*v1.ManifestWork", RESOURCE.into()), { resource_id: RESOURCE });
    keys!(body("*v1.AppliedManifestWork", applied(RESOURCE)), { applied_work: applied(RESOURCE), resource_id: RESOURCE });
    keys!(body("*v1.Secret", RESOURCE.into()), {});
}

#[test]
fn a_deleted_object_names_the_work_in_the_reason() {
    let reasons = [
        format!("manifestwork {RESOURCE} is terminating"),
        format!("it is no longer maintained by manifestwork {RESOURCE}"),
    ];
    for reason in reasons {
        let body = format!(r#""Deleted resource" gvr="/v1, Resource=configmaps" resourceName="cm" reason="{reason}""#);
        keys!(body, {
            object_resource: "configmaps", object_group: "", object_name: "cm", reason: reason,
            resource_id: RESOURCE,
        });
    }
    let body = r#""Resource is removed successfully" gvr="/v1, Resource=configmaps" resourceName="cm""#;
    keys!(body, { object_resource: "configmaps", object_group: "", object_name: "cm" });
}

#[test]
fn a_controller_that_fails_names_the_work_by_its_key() {
    let body = |key| format!(r#""controller failed to sync" err="Deployment.apps \"d\" is invalid" key="{key}""#);
    let error = r#"Deployment.apps "d" is invalid"#;
    keys!(body(RESOURCE.into()), { error: error, resource_id: RESOURCE });
    keys!(body(applied(RESOURCE)), { error: error, applied_work: applied(RESOURCE), resource_id: RESOURCE });
    keys!(body("overture".into()), { error: error, work_name: "overture" });
    keys!(body("hall/cm".into()), { error: error });
    keys!(body("key".into()), { error: error });
}

#[test]
fn an_error_that_names_the_resource_is_enough() {
    let error = format!("Failed to publish resource {RESOURCE}: context deadline exceeded");
    keys!(format!(r#""apply failed" error="{error}""#), { error: error, resource_id: RESOURCE });
    let body = format!(r#""failed to delete work" err="EOF" namespace="hall" name="{RESOURCE}""#);
    keys!(body, { error: "EOF", resource_id: RESOURCE });
}

#[test]
fn a_spec_that_cannot_be_decoded_has_only_its_type() {
    let body = format!(r#""failed to decode spec" err="empty" eventType="{}""#, kind("spec.create_request"));
    keys!(body, { error: "empty", event_type: "spec.create_request" });
}
