//! Each wrapping claims its own samples, and gives back the lines that it carries.

use super::*;

/// The text of every line, with pod, container, time, first line and number of lines.
fn unwrapped(wrapping: &dyn Wrapping, file: &str) -> Vec<String> {
    let mut input = file.as_bytes();
    let mut open = wrapping.open(&mut input);
    let mut found = Vec::new();
    loop {
        match open.next() {
            Ok(None) => break,
            Ok(Some(Unwrapped::Skipped)) => found.push("skipped".to_owned()),
            Ok(Some(Unwrapped::Odd { line, text, why })) => {
                found.push(format!("odd {line} {why}: {}", String::from_utf8_lossy(text)));
            }
            Ok(Some(Unwrapped::Line(who, line))) => {
                let text = String::from_utf8_lossy(line.bytes);
                let who = [who.cluster, who.namespace, who.pod, who.container];
                let who = who.map(Option::unwrap_or_default).join("/");
                let at = line.at.map_or_else(String::new, |at| at.clock());
                found.push(format!("{}+{} {who} {at} {text}", line.number, line.lines));
            }
            Err(stop) => {
                found.push(format!("stop: {}", stop.why));
                break;
            }
        }
    }
    found.extend(open.problems());
    found.extend(open.remarks());
    found
}

#[test]
fn every_wrapping_claims_its_samples_and_no_others() {
    for wrapping in WRAPPINGS {
        assert!(!wrapping.samples().is_empty(), "{}", wrapping.name());
        for sample in wrapping.samples() {
            let claimants = WRAPPINGS.iter().filter(|other| other.claims(sample.as_bytes()));
            assert_eq!(claimants.map(|other| other.name()).collect::<Vec<_>>(), [wrapping.name()], "{sample}");
            let lines = unwrapped(*wrapping, sample);
            assert!(lines.iter().any(|line| line.contains("main.go:12]") || line.contains("score.go")), "{lines:?}");
        }
    }
}

#[test]
fn pieces_of_a_long_line_are_put_together() {
    let cri = "2026-01-15T09:45:12.1Z stderr P I0115 one \n2026-01-15T09:45:12.2Z stdout F between\n\
        2026-01-15T09:45:12.3Z stderr P two \n2026-01-15T09:45:12.4Z stderr F three\nbare\n";
    let expected = ["2+1 /// 09:45:12.200000 between", "1+3 /// 09:45:12.100000 I0115 one two three", "5+1 ///  bare"];
    assert_eq!(unwrapped(&cri::Cri, cri), expected);
    let cut = "2026-01-15T09:45:12.1Z stderr P half";
    assert_eq!(unwrapped(&cri::Cri, cut), ["1+1 /// 09:45:12.100000 half"]);
    let docker = r#"{"log":"one ","stream":"stderr","time":"2026-01-15T09:45:12.1Z"}
{"log":"two\n","stream":"stderr","time":"2026-01-15T09:45:12.2Z"}
{"log":"cut"#;
    let expected = ["1+2 /// 09:45:12.100000 one two", "odd 3 not an object of Docker's log: {\"log\":\"cut"];
    assert_eq!(unwrapped(&docker::Docker, docker), expected);
}

#[test]
fn a_line_without_the_wrapping_is_a_line_all_the_same() {
    let prefixed =
        "[pod/a-1/c] I0115 x\nError from server: timeout\n[pod/a-1/c] 2026-01-15T09:45:12.1Z y\n[pod/a-1/c] \n";
    let expected = [
        "1+1 //a-1/c  I0115 x",
        "2+1 ///  Error from server: timeout",
        "3+1 //a-1/c 09:45:12.100000 y",
        "4+1 //a-1/c  ",
    ];
    assert_eq!(unwrapped(&kubectl::Prefixed, prefixed), expected);
    assert_eq!(unwrapped(&stern::Stern, "+ a-1 › c\na-1 c text of it\n")[0], "1+1 ///  + a-1 › c");
}

#[test]
fn a_table_may_have_its_columns_in_any_order_and_case() {
    let csv = "LOG,Tenant,PodName,ContainerName,namespace_name,Cluster,TIMESTAMP\n\"a, \"\"b\"\"\",t,p-1,c,n,k,2026-01-15T09:45:12Z\nshort,row\n\"open,t\n";
    let expected = [
        "skipped",
        "2+1 k/n/p-1/c 09:45:12.000000 a, \"b\"",
        "odd 3 not as many columns as the first record: short,row",
        "odd 4 a quote that is never closed: \"open,t",
        "columns that are not kept: Tenant",
    ];
    assert_eq!(unwrapped(&kusto_csv::KustoCsv, csv), expected);
}

#[test]
fn exports_that_were_put_together_keep_their_headings() {
    let two = "pod_name,log\np-1,one\nlog,pod_name\ntwo,p-2\n";
    assert_eq!(unwrapped(&kusto_csv::KustoCsv, two), ["skipped", "2+1 //p-1/  one", "skipped", "4+1 //p-2/  two"]);
    let semicolons = "pod_name;log\nstrings-7d9c-x2k4p;I0115 09:45:12.345600       1 main.go:12] one, two\n";
    assert_eq!(wrapping(semicolons.as_bytes()).map(Wrapping::name), Some("Kusto CSV"));
    let expected = "2+1 //strings-7d9c-x2k4p/  I0115 09:45:12.345600       1 main.go:12] one, two";
    assert_eq!(unwrapped(&kusto_csv::KustoCsv, semicolons)[1], expected);
}

#[test]
fn answers_of_queries_are_walked_and_their_failures_noticed() {
    let v1 = r#"{"Tables":[{"TableName":"T","Columns":[{"ColumnName":"pod_name"},{"ColumnName":"Log"}],
        "Rows":[["p-1","one"],["p-2",{"a":1}],[1],{"Exceptions":["too much"]}]},
        {"TableName":"U","Columns":[{"ColumnName":"x"}],"Rows":[["y"]]}]}"#;
    let expected = [
        "1+1 //p-1/  one",
        "2+1 //p-2/  {\"a\":1}",
        "odd 3 no log line in it: [1]",
        "skipped",
        "skipped",
        "the query failed in part: {\"Exceptions\":[\"too much\"]}",
        "columns that are not kept: x",
    ];
    assert_eq!(unwrapped(&kusto_json::VERSION_1, v1), expected);
    let v2 = r#"[{"FrameType":"DataSetHeader"},{"FrameType":"DataTable","TableKind":"PrimaryResult","Columns":[{"ColumnName":"log"}],"Rows":[["one"]]},
        {"FrameType":"DataSetCompletion","HasErrors":true,"OneApiErrors":[{"error":{"code":"LimitsExceeded"}}]}]"#;
    let found = unwrapped(&kusto_json::VERSION_2, v2);
    assert_eq!(found[0], "1+1 ///  one");
    assert!(found.iter().any(|line| line.contains("LimitsExceeded")), "{found:?}");
    let cut = r#"{"tables":[{"name":"PrimaryResult","columns":[{"name":"LogMessage"}],"rows":[["one"],["tw"#;
    let found = unwrapped(&kusto_json::LOG_ANALYTICS, cut);
    assert_eq!(found, ["1+1 ///  one", "stop: line 1: cut in the middle of what begins here"]);
}

#[test]
fn a_journal_may_hold_values_of_any_bytes() {
    let entry = b"__CURSOR=1\n__REALTIME_TIMESTAMP=1768470312345600\nMESSAGE\n\x07\0\0\0\0\0\0\0one\ntwo\n\n__CURSOR=2\nX=y\n\n";
    let text = String::from_utf8(entry.to_vec()).unwrap();
    let found = unwrapped(&journald::Journald, &text);
    assert_eq!(found[..2], ["1+1 /// 09:45:12.345600 one\ntwo", "skipped"]);
}

#[test]
fn a_log_with_commas_in_it_is_no_table() {
    let zap = "2026-01-15T09:45:12.345Z\tWARN\tmaestro/main.go:49\tno score, so none is played, alas\n";
    let klog =
        "I0115 09:45:12.345600       1 main.go:12] one, two, three\nI0115 09:45:12.345600       1 main.go:12] four\n";
    for log in [zap, klog] {
        assert_eq!(wrapping(log.as_bytes()).map(Wrapping::name), Some("plain log"), "{log}");
    }
}

#[test]
fn other_files_are_not_logs() {
    let others = [
        "",
        "the score, the parts\n",
        "id,name,labels\n1,cluster1,\n",
        "message,author\nmend the overture,nobody\n",
        "{\"kind\":\"List\",\"items\":[]}",
        "[{\"message\":\"no log\"}]",
        "2026-01-15T09:45:12Z a diary\n",
        "\u{0}\u{1}",
    ];
    for other in others {
        assert_eq!(wrapping(other.as_bytes()).map(Wrapping::name), None, "{other}");
    }
}
