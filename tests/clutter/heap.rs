//! Files that are no evidence, and look like it as far as such files do.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::fs;
use std::io::{Cursor, Write as _};
use std::path::Path;

const KLOG: &str = "I0115 09:45:12.345678       1 controller.go:12] \"started\" resourceID=\"0b14ee1e\"";
const UUID: &str = "0b14ee1e-1543-5748-bba9-abb351ceff99";

fn put(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// Bytes without any order, the same ones every time.
fn noise(seed: u32, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2_654_435_761).max(1);
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state.to_le_bytes()[1]
    };
    (0..length).map(|_| next()).collect()
}

fn zip(members: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in members {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// Programs, pictures and other files that begin like what they are.
pub fn binaries(folder: &Path) {
    let kinds: [(&str, &[u8]); 12] = [
        ("png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
        ("so", b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0"),
        ("class", b"\xca\xfe\xba\xbe\0\0\0\x3d"),
        ("pyc", b"\xa7\r\r\n\0\0\0\0"),
        ("sqlite", b"SQLite format 3\0\x10\0\x01\x01\0"),
        ("pdf", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>\nendobj\n"),
        ("jpg", b"\xff\xd8\xff\xe0\0\x10JFIF\0"),
        ("gif", b"GIF89a\x01\0\x01\0"),
        ("wasm", b"\0asm\x01\0\0\0"),
        ("exe", b"MZ\x90\0\x03\0\0\0"),
        ("parquet", b"PAR1\x15\x04\x15"),
        ("mp4", b"\0\0\0\x18ftypmp42"),
    ];
    for (at, (ending, start)) in (0_u32..).zip(kinds) {
        for copy in 0..4 {
            let more = noise(at * 16 + copy + 1, 500 + 4000 * copy as usize);
            put(folder, &format!("{copy}/file.{ending}"), [start, &more].concat());
        }
    }
    // A core dump has the strings of the process that died in it.
    let text =
        format!("{KLOG}\nselect * from resources;\n{{\"id\":\"{UUID}\",\"consumer_name\":\"c\",\"version\":1}}\n");
    put(folder, "core.4711", [b"\x7fELF\x02\x01\x01\0", noise(99, 9000).as_slice(), text.as_bytes()].concat());
    for seed in 200..220 {
        put(folder, &format!("random/{seed}.bin"), noise(seed, 3000));
    }
}

/// Documents are archives of XML.
pub fn office(folder: &Path) {
    let types = "<?xml version=\"1.0\"?><Types xmlns=\"x\"><Default Extension=\"xml\"/></Types>";
    for at in 0..6 {
        let text = format!("<w:document><w:p><w:t>{KLOG}</w:t></w:p></w:document>");
        let docx = zip(&[("[Content_Types].xml", types), ("word/document.xml", &text)]);
        put(folder, &format!("minutes-{at}.docx"), docx);
        let sheet = "<worksheet><row><c><v>consumer_name</v></c></row></worksheet>";
        put(folder, &format!("budget-{at}.xlsx"), zip(&[("[Content_Types].xml", types), ("xl/sheet1.xml", sheet)]));
    }
    put(folder, "amounts.csv", "date,amount,message\n2026-01-15,12.50,lunch\n2026-01-16,3.00,\"tea, and cake\"\n");
    put(folder, "people.csv", "id,name,email\n1,Ada,ada@example.com\n2,Bob,bob@example.com\n");
    put(folder, "sprint.csv", "id,name,status,created_at\n7,fix it,done,2026-01-15\n");
    put(folder, "orders.tsv", "id\tcreated_at\ttotal\n1\t2026-01-15T09:45:12Z\t7\n");
    put(folder, "calendar.ics", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:maestro\nEND:VEVENT\nEND:VCALENDAR\n");
}

/// Sources in several languages; they quote logs, SQL and objects.
pub fn source_code(folder: &Path) {
    for at in 0..20 {
        let go = format!("package main\n\n// {KLOG}\nfunc F{at}() {{\n\tlog.Info(\"x\")\n}}\n");
        put(folder, &format!("pkg/file{at}.go"), go);
        let python = format!("QUERY = \"\"\"\nselect id, consumer_name, version from resources\n\"\"\"\nN = {at}\n");
        put(folder, &format!("tools/tool{at}.py"), python);
        let script = format!("const line = `\n  {KLOG}\n`;\nexport const n = {at};\n");
        put(folder, &format!("web/src/part{at}.ts"), script);
    }
    let migration = "CREATE TABLE resources (id text PRIMARY KEY, consumer_name text, version int);\n\
        CREATE INDEX idx ON events (source_id);\nALTER TABLE events ADD COLUMN reconciled_date timestamptz;\n";
    put(folder, "db/migrations/001_init.sql", migration);
    put(folder, "db/queries.sql", "-- name: list\nSELECT * FROM resources WHERE consumer_name = $1;\n");
    let chart = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\ndata:\n  a: {{ .Values.a | quote }}\n";
    put(folder, "chart/templates/configmap.yaml", chart);
    let conditional = "{{- if .Values.enabled }}\napiVersion: v1\nkind: Service\nmetadata:\n  name: x\n{{- end }}\n";
    put(folder, "chart/templates/service.yaml", conditional);
    put(folder, "chart/Chart.yaml", "apiVersion: v2\nname: maestro\nversion: 0.1.0\nappVersion: \"1.0\"\n");
    put(folder, "chart/values.yaml", "image: quay.io/x/maestro\nreplicas: 2\nmetadata:\n  labels: {}\n");
    put(folder, "docker-compose.yml", "services:\n  db:\n    image: postgres\n    environment:\n      - A=b\n");
    let workflow =
        "name: ci\non: [push]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: go test\n";
    put(folder, ".github/workflows/ci.yml", workflow);
    put(folder, ".golangci.yml", "linters:\n  enable:\n    - govet\n");
    put(folder, "Makefile", "test:\n\tgo test ./...\n");
    put(folder, "Dockerfile", "FROM golang:1.25\nRUN go build\n");
    put(folder, "go.sum", format!("github.com/x/y v1.0.0 h1:{}=\n", "A".repeat(43)).repeat(30));
    put(folder, "Cargo.lock", "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\n".repeat(5));
    put(
        folder,
        "package.json",
        "{\n  \"name\": \"web\",\n  \"version\": \"1.0.0\",\n  \"dependencies\": {\"react\": \"18\"}\n}\n",
    );
    put(folder, "tsconfig.json", "{\"compilerOptions\": {\"strict\": true}, \"include\": [\"src\"]}\n");
    let openapi = "openapi: 3.0.0\ninfo:\n  title: maestro\n  version: 1.0.0\npaths:\n  /api/maestro/v1/consumers:\n    get: {}\n";
    put(folder, "openapi.yaml", openapi);
    let openapi = r#"{"openapi": "3.0.0", "info": {"title": "maestro"}, "paths": {"/api/maestro/v1/consumers": {}},
        "components": {"schemas": {"ResourceBundle": {"properties": {"id": {}, "manifests": {}, "consumer_name": {}}}}}}"#;
    put(folder, "openapi.json", openapi);
    put(folder, "install.sh", format!("#!/bin/sh\ncat <<EOF\n{KLOG}\nEOF\nkubectl get pods -o json > pods.json\n"));
    let test = format!("package logs\n\nconst sample = `\n{KLOG}\n`\n");
    put(folder, "pkg/logs_test.go", test);
    let rust = format!("const SAMPLE: &str = \"\\\n{KLOG}\n{KLOG}\n\";\n");
    put(folder, "src/lib.rs", rust);
}

/// Notes and the files of other tools.
pub fn texts(folder: &Path) {
    let result =
        " id | consumer_name | version\n----+---------------+---------\n a1 | cluster1      |       1\n(1 row)\n";
    let readme = format!(
        "# Runbook\n\nLook for this line:\n\n```\n{KLOG}\n```\n\nand ask\n\n```\nmaestro=# select * from resources;\n{result}```\n"
    );
    put(folder, "README.md", readme);
    put(folder, "runbook.md", format!("# Logs\n\n    {KLOG}\n\n> {KLOG}\n"));
    let table = "| id | consumer_name | version |\n|---|---|---|\n| a | b | 1 |\n";
    put(folder, "table.md", table);
    put(folder, "page.html", format!("<html><body><pre>\n{KLOG}\n</pre></body></html>\n"));
    put(folder, "array.json", "[{\"id\": 1, \"name\": \"a\"}, {\"id\": 2, \"name\": \"b\"}]\n");
    put(folder, "numbers.json", "[1, 2, 3]\n");
    let cell = serde_json::json!({"cell_type": "code", "source": [KLOG, "select * from resources"], "outputs": []});
    let notebook = serde_json::json!({"cells": [cell], "metadata": {"kernelspec": {}}, "nbformat": 4});
    put(folder, "analysis.ipynb", notebook.to_string());
    let finding = serde_json::json!({"ruleId": "no-unused-vars", "severity": 2, "message": "'x' is unused", "line": 1});
    put(folder, "eslint.json", serde_json::json!([{"filePath": "/src/a.ts", "messages": [finding]}]).to_string());
    let resource =
        serde_json::json!({"type": "aws_instance", "name": "x", "instances": [{"attributes": {"id": UUID}}]});
    put(
        folder,
        "terraform.tfstate",
        serde_json::json!({"version": 4, "resources": [resource], "outputs": {}}).to_string(),
    );
    put(
        folder,
        "nginx-access.log",
        "10.0.0.1 - - [15/Jan/2026:09:45:12 +0000] \"GET / HTTP/1.1\" 200 612\n".repeat(40),
    );
    put(folder, "syslog.1", "Jan 15 09:45:12 host systemd[1]: Started Session 1 of user root.\n".repeat(40));
    put(folder, "app.jsonl", "{\"ts\": 1, \"event\": \"click\", \"id\": \"a\"}\n".repeat(20));
    put(
        folder,
        "chat.json",
        serde_json::json!([{"user": "ada", "message": "see the log", "time": "2026-01-15"}]).to_string(),
    );
    put(
        folder,
        "kubeconfig",
        "apiVersion: v1\nkind: Config\nclusters: []\ncontexts: []\nusers: []\ncurrent-context: x\n",
    );
    put(folder, "changes.diff", format!("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-{KLOG}\n+{KLOG}\n"));
    put(folder, "secrets.env", "A=1\nB=2\n");
    put(folder, "feed.xml", "<?xml version=\"1.0\"?>\n<rss><item><title>events</title></item></rss>\n");
    put(folder, "mail.eml", format!("From: a@example.com\nSubject: stuck work\n\n> {KLOG}\nwhat is this?\n"));
    put(folder, "empty.log", "");
    put(folder, "empty.csv", "");
    modules(folder);
}

/// Somebody's packed dependencies.
fn modules(folder: &Path) {
    let encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut archive = tar::Builder::new(encoder);
    for at in 0..40 {
        for (name, text) in [
            ("package.json", format!("{{\"name\": \"m{at}\", \"version\": \"1.0.{at}\", \"type\": \"module\"}}\n")),
            ("index.js", format!("// {KLOG}\nmodule.exports = {at};\n")),
            ("README.md", "# Module\n\n    id | name\n".to_owned()),
        ] {
            let mut header = tar::Header::new_gnu();
            header.set_size(text.len() as u64);
            header.set_mode(0o644);
            archive.append_data(&mut header, format!("node_modules/m{at}/{name}"), text.as_bytes()).unwrap();
        }
    }
    put(folder, "node_modules.tar.gz", archive.into_inner().unwrap().finish().unwrap());
}
