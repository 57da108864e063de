//! What is found and what is not.

use super::*;
use proptest::prelude::*;

/// The text with `<kind>` in place of each secret.
fn redacted(text: &str) -> String {
    let mut out = String::new();
    let mut at = 0;
    for span in find(text, false, &Extra::default()) {
        out.push_str(&text[at..span.start]);
        out.push_str(&format!("<{}>", span.kind.name()));
        at = span.end;
    }
    out + &text[at..]
}

#[track_caller]
fn goes(text: &str, expected: &str) {
    assert_eq!(redacted(text), expected);
    assert!(hints::Hints::new().any(text), "no hint in {text}");
    let mut redactor = Redactor::new();
    let (clean, _) = redactor.text(text).unwrap();
    assert_eq!(redactor.text(&clean), None, "redacting twice is redacting once: {clean}");
}

#[track_caller]
fn stays(text: &str) {
    assert_eq!(redacted(text), text);
}

/// Quotes a text as JSON and Go do.
fn quoted(text: &str, times: usize) -> String {
    (0..times).fold(text.to_owned(), |text, _| serde_json::Value::from(text).to_string())
}

const SECRET: &str =
    r#"{"apiVersion":"v1","data":{"user":"YWRtaW4=","x":"aHVudGVyMg=="},"kind":"Secret","metadata":{"name":"s"}}"#;
const GONE: &str =
    r#"{"apiVersion":"v1","data":{"user":"<secret>","x":"<secret>"},"kind":"Secret","metadata":{"name":"s"}}"#;

#[test]
fn the_data_of_a_secret_go_at_any_depth() {
    for times in 0..5 {
        goes(&quoted(SECRET, times), &quoted(GONE, times));
        let klog =
            |event: &str| format!("I0102 15:04:05.000006       1 a.go:1] \"sent\" event={}", quoted(event, times + 1));
        goes(&klog(SECRET), &klog(GONE));
        let work = |manifest: &str| {
            format!(r#"{{"data":{{"manifests":[{{"kind":"ManifestWork","spec":{{"m":[{manifest}]}}}}]}}}}"#)
        };
        goes(&quoted(&work(SECRET), times), &quoted(&work(GONE), times));
    }
}

#[test]
fn a_secret_is_one_whatever_stands_around_it() {
    let list = |item: &str, kind: &str| format!(r#"{{"items":[{item}],"kind":"{kind}"}}"#);
    let item = r#"{"data":{"a":"aHVudGVyMg=="},"metadata":{"name":"s"}}"#;
    goes(&list(item, "SecretList"), &list(&item.replace("aHVudGVyMg==", "<secret>"), "SecretList"));
    goes(
        r#"Secret "n/s" changes: {"data":{"a":"aHVudGVyMg=="}}"#,
        r#"Secret "n/s" changes: {"data":{"a":"<secret>"}}"#,
    );
    goes(r#"{"stringData":{"a":"b"#, r#"{"stringData":{"a":"<secret>"#);
    goes(r#"{"apiVersion":"v1","data":{"a":"aHVu"#, r#"{"apiVersion":"v1","data":{"a":"<secret>"#);
    goes(&SECRET.replace('"', "\"\""), &GONE.replace('"', "\"\""));
    goes(&SECRET.replace('"', "\\u0022"), &GONE.replace('"', "\\u0022"));
    goes(&SECRET.replace('"', "'"), &GONE.replace('"', "'"));
    goes(
        "map[apiVersion:v1 data:map[a:aHVudGVyMg== b:[104 117]] kind:Secret]",
        "map[apiVersion:v1 data:map[a:<secret> b:<secret>] kind:Secret]",
    );
}

#[test]
fn a_secret_is_one_in_yaml_too() {
    let yaml = "kind: Secret\ndata:\n  a: aHVudGVyMg==\n  b: |\n    aHVu\n    dGVy\nmetadata:\n  name: s\n";
    let gone = "kind: Secret\ndata:\n  a: <secret>\n  b: |\n    <secret>\n    <secret>\nmetadata:\n  name: s\n";
    goes(yaml, gone);
    goes(&quoted(yaml, 1), &quoted(gone, 1));
    goes(&quoted(yaml, 2), &quoted(gone, 2));
    goes("stringData:\n  a: \"b c\"\n", "stringData:\n  a: \"<secret>\"\n");
    goes("users:\n- user:\n    token: abc\n", "users:\n- user:\n    token: <token>\n");
    goes("password: correct horse\nuser: a", "password: <password>\nuser: a");
    goes("private-key: |\n  abc\nuser: a", "private-key: |\n  <private-key>\nuser: a");
}

#[test]
fn other_objects_keep_their_data() {
    stays(r#"{"apiVersion":"v1","data":{"mode":"aHVudGVyMg=="},"kind":"ConfigMap"}"#);
    stays(r#"{"specversion":"1.0","data":{"manifests":[{"kind":"Secret","metadata":{"name":"s"}}]},"id":"a"}"#);
    stays(r#"{"volumes":[{"secret":{"secretName":"serving-cert"}}],"imagePullSecrets":[{"name":"pull-secret"}]}"#);
    stays(r#"{"env":[{"name":"DB_PASSWORD","valueFrom":{"secretKeyRef":{"key":"password","name":"db"}}}]}"#);
    stays(r#"{"automountServiceAccountToken":true,"tokenExpirationSeconds":3600,"token":null,"password":""}"#);
}

#[test]
fn names_tell() {
    goes(r#"{"password":"a\"b","user":"c"}"#, r#"{"password":"<password>","user":"c"}"#);
    goes(r#"{"password":12345}"#, r#"{"password":<password>}"#);
    goes(
        r#"{"env":[{"name":"DB_PASSWORD","value":"x y"}]}"#,
        r#"{"env":[{"name":"DB_PASSWORD","value":"<password>"}]}"#,
    );
    goes(r#"{"args":["--token","abc","--v=4"]}"#, r#"{"args":["--token","<token>","--v=4"]}"#);
    goes(r#"{"Authorization":["Bearer abc"]}"#, r#"{"Authorization":["<token>"]}"#);
    goes(r#"{"auths":{"q.io":{"auth":"YTpi"}}}"#, r#"{"auths":{"q.io":{"auth":"<password>"}}}"#);
    goes("host=db password=hunter2 sslmode=off", "host=db password=<password> sslmode=off");
    goes("host=db password='it s' sslmode=off", "host=db password='<password>' sslmode=off");
    goes("AccountName=a;AccountKey=abc/def+1==;x", "AccountName=a;AccountKey=<cloud-key>;x");
    goes("GET /x?access_token=abc&id=7", "GET /x?access_token=<token>&id=7");
    goes("run --password hunter2 --verbose", "run --password <password> --verbose");
    goes("smtp_pass=hunter2", "smtp_pass=<password>");
    goes("Authorization: Basic YTpi", "Authorization: <token>");
    goes("{Token:abcdef Name:n}", "{Token:<token> Name:n}");
    goes(r#""login" password="a b" user="c""#, r#""login" password="<password>" user="c""#);
    goes(r#"msg="{\"token\":\"abc\"}" k=1"#, r#"msg="{\"token\":\"<token>\"}" k=1"#);
}

#[test]
fn sentences_are_no_secrets() {
    for text in [
        "invalid token: signature is expired",
        "failed to get secret: not found",
        r#"secrets "pull-secret" not found"#,
        r#"observed secret="open-cluster-management/serving-cert" version=7"#,
        "password authentication failed for user \"maestro\"",
        "token is missing",
        "denied by authorization: the user may not list works",
        "bypass=true",
        "could not read /var/run/secrets/kubernetes.io/serviceaccount/token: permission denied",
        "--token-file=/etc/maestro/token",
        "cache key: default/nginx",
        "key=resources/7",
        "sorted by primary key",
        "https://registry.example:5000/path?to=a@b.example",
        "image quay.io/maestro@sha256:0b14ee1e15435748bba9abb351ceff990b14ee1e15435748bba9abb351ceff99",
        "resourceID=\"0b14ee1e-1543-5748-bba9-abb351ceff99\" op-id=\"3MATdZJ3VTHvElN4gvjKhv5Sw4Y\"",
        "task-0123456789abcdef0123456789abcdef01234567",
        "continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NywgInN0YXJ0IjoiYSJ9",
    ] {
        stays(text);
    }
}

#[test]
fn looks_tell() {
    let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";
    goes(&format!("got {jwt}\\nnext"), "got <jwt>\\nnext");
    goes("postgres://reader:hunter2@db/maestro", "postgres://reader:<password>@db/maestro");
    goes(r"postgres:\/\/reader:hunter2@db\/maestro", r"postgres:\/\/reader:<password>@db\/maestro");
    goes(r"line\nAKIAABCDEFGHIJKLMNOP end", r"line\n<cloud-key> end");
    let key = "-----BEGIN RSA PRIVATE KEY-----\\nMIIE\\nabc=\\n-----END RSA PRIVATE KEY-----\\n";
    goes(&format!("a \"{key}\" b"), "a \"<private-key>\\n\" b");
    goes("-----BEGIN PRIVATE KEY-----\nMIIE", "<private-key>");
    stays("-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----");
    goes("x LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk1JSUUKLS0tLS1FTkQgUFJJVkFURSBLRVktLS0tLQo= y", "x <credentials> y");
    goes("x eyJhdXRocyI6eyJxLmlvIjp7ImF1dGgiOiJZVHBpIn19fQ== y", "x <credentials> y");
}

#[test]
fn json_that_is_no_json_ends_somewhere() {
    for text in ["[".repeat(5000), "{\"a\":".repeat(5000), "[\"".repeat(5000), "{\"a\":[{\"data\":{".repeat(2000)] {
        let started = std::time::Instant::now();
        drop(find(&text, true, &Extra::default()));
        assert!(started.elapsed().as_secs() < 5, "{}", text.len());
    }
}

proptest! {
    /// Pieces of everything that matters, in any order.
    #[test]
    fn redacting_twice_is_redacting_once(pieces in proptest::collection::vec(prop_oneof![
        "[ -~]{0,12}",
        Just("password=".to_owned()), Just("\"token\": ".to_owned()), Just(SECRET.to_owned()), Just(quoted(SECRET, 1)),
        Just("{\"data\":{\"a\":\"".to_owned()), Just("://a:b@c ".to_owned()), Just("\\n".to_owned()), Just("\n".to_owned()),
        Just("kind: Secret\ndata:\n  a: b\n".to_owned()), Just("\\\"".to_owned()), Just("\"".to_owned()), Just("'".to_owned()),
        Just("Authorization: ".to_owned()), Just("stringData:\n  ".to_owned()), Just("‹secret:0001:len8›".to_owned()),
        Just("-----BEGIN PRIVATE KEY-----".to_owned()), Just("secret: |\n  ".to_owned()), Just("}".to_owned()),
        Just("map[data:map[a:b] kind:Secret]".to_owned()), Just("ghp_0123456789abcdefghij0123".to_owned()),
    ], 0..12)) {
        let text = pieces.concat();
        let mut redactor = Redactor::new();
        if let Some((once, _)) = redactor.text(&text) {
            prop_assert_eq!(redactor.text(&once), None, "{}", once);
        }
    }

    /// Whatever comes is let through or changed, and never is the end of the program.
    #[test]
    fn any_text_is_survived(text in "[\\\\\"'{}\\[\\]:,a-z=/@ \n‹›-]{0,200}") {
        drop(find(&text, true, &Extra::default()));
    }

    /// What the fast look lets through, the slow one would not change either.
    #[test]
    fn hints_miss_nothing(text in "(password|token|secret|data|auth|kind|key|Secret|[\\\\\"{}:=]| ){0,30}") {
        prop_assert!(hints::Hints::new().any(&text) || find(&text, false, &Extra::default()).is_empty(), "{}", text);
    }
}
