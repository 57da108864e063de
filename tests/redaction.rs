//! What goes out: no secret survives in a bundle, nothing that traces need is lost, and every answer stays the same.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

mod again;
mod places;
mod pseudonyms;
mod shapes;
mod verdicts;

use crate::support::{collect, dacapo, rows, run, scenarios, unpack};
use aho_corasick::AhoCorasick;
use dacapo::bundle::Reader;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use places::Planted;
use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;
use tempfile::TempDir;

/// Every byte of a bundle with everything decompressed: the archive itself, and every value of every column.
fn everything(bundle: &Path) -> Vec<u8> {
    let mut bytes = std::fs::read(bundle).unwrap();
    let mut archive = zip::ZipArchive::new(std::fs::File::open(bundle).unwrap()).unwrap();
    for index in 0..archive.len() {
        let mut member = Vec::new();
        archive.by_index(index).unwrap().read_to_end(&mut member).unwrap();
        if !member.starts_with(b"PAR1") {
            continue;
        }
        let reader = ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(member)).unwrap();
        for batch in reader.build().unwrap() {
            for column in batch.unwrap().columns() {
                for buffer in column.to_data().buffers() {
                    bytes.extend_from_slice(buffer);
                }
                bytes.push(0);
            }
        }
    }
    bytes
}

/// Which of these texts are there.
fn found<'t>(bytes: &[u8], texts: impl Iterator<Item = &'t str>) -> BTreeSet<usize> {
    let texts: Vec<&str> = texts.collect();
    let search = AhoCorasick::new(&texts).unwrap();
    search.find_overlapping_iter(bytes).map(|place| place.pattern().as_usize()).collect()
}

fn planted() -> (TempDir, Planted) {
    let dir = TempDir::with_prefix("dacapo-test-").unwrap();
    let planted = places::plant(&dir.path().join("planted"));
    (dir, planted)
}

#[test]
fn no_planted_secret_survives_and_nothing_else_goes() {
    let (dir, planted) = planted();
    let count = |of: fn(&str) -> &str| planted.secrets.iter().map(|(what, _)| of(what)).collect::<BTreeSet<_>>().len();
    assert!(count(|what| what.split(" in ").next().unwrap()) >= 40, "shapes");
    assert!(count(|what| what.split(" in ").last().unwrap()) >= 12, "places");
    let bundle = collect(&dir.path().join("planted"));
    let bytes = everything(&bundle);
    let survived = found(&bytes, planted.secrets.iter().map(|(_, secret)| secret.as_str()));
    let survived: BTreeSet<&str> = survived.iter().map(|index| planted.secrets[*index].0.as_str()).collect();
    assert!(survived.is_empty(), "{} of {} secrets survived:\n{survived:#?}", survived.len(), planted.secrets.len());
    let kept = found(&bytes, planted.kept.iter().map(String::as_str));
    let lost: Vec<&String> =
        (0..planted.kept.len()).filter(|index| !kept.contains(index)).map(|index| &planted.kept[index]).collect();
    assert!(lost.is_empty(), "{} of {} names and ids are lost: {lost:#?}", lost.len(), planted.kept.len());
    assert!(Reader::open(&bundle).unwrap().manifest().redacted);
}

/// The test above can fail: what is looked for is there, unless it is taken out.
#[test]
fn every_planted_secret_is_there_without_redaction() {
    let (dir, planted) = planted();
    let bundle = dir.path().join("raw.dacapo");
    let answer =
        run(dacapo().args(["collect", "--no-redact", "--from"]).arg(dir.path().join("planted")).arg("-o").arg(&bundle));
    assert_eq!(answer.code, Some(0), "{}", answer.describe());
    assert!(answer.stderr.contains("NOT REDACTED"), "{}", answer.stderr);
    let survived = found(&everything(&bundle), planted.secrets.iter().map(|(_, secret)| secret.as_str()));
    let gone: Vec<&str> = (0..planted.secrets.len())
        .filter(|index| !survived.contains(index))
        .map(|index| planted.secrets[index].0.as_str())
        .collect();
    assert!(gone.is_empty(), "{gone:#?}");
    for command in [
        &["inspect"][..],
        &["verify"],
        &["works"],
        &["diagnose"],
        &["show", "resources:1"],
        &["query", "--sql", "select 1"],
    ] {
        let answer = run(dacapo().arg(command[0]).arg(&bundle).args(&command[1..]));
        assert!(answer.stderr.contains("not redacted"), "{command:?}: {}", answer.describe());
    }
}

#[test]
fn what_is_said_about_a_bundle_is_redacted_too() {
    let dir = TempDir::with_prefix("dacapo-test-").unwrap();
    let folder = dir.path().join("token=hunter2hunter2");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("password=open5esame.log"), "I1116 01:27:01.279388       1 main.go:215] started\n")
        .unwrap();
    let bundle = dir.path().join("x.dacapo");
    let mut command = dacapo();
    command.args([
        "collect",
        "--label",
        "api-token=n1ghtingale",
        "--note",
        "the password=sw0rdfish was used",
        "--from",
    ]);
    let answer = run(command.arg(&folder).arg("-o").arg(&bundle));
    assert_eq!(answer.code, Some(0), "{}", answer.describe());
    let survived = found(&everything(&bundle), ["hunter2", "open5esame", "n1ghtingale", "sw0rdfish"].into_iter());
    assert!(survived.is_empty(), "{survived:?}");
    let manifest = serde_json::to_string(Reader::open(&bundle).unwrap().manifest()).unwrap();
    assert!(manifest.contains("the password=‹password:") && manifest.contains("\"api-token\":\"‹token:"), "{manifest}");
}

/// A private key that a process prints line by line.
#[test]
fn a_key_over_several_lines_of_a_log_is_one() {
    let dir = TempDir::with_prefix("dacapo-test-").unwrap();
    let lines: Vec<String> =
        shapes::all(&mut shapes::Seed::new(9)).into_iter().find(|of| of.shape == "EC PRIVATE KEY").unwrap().secrets;
    let header = "I1116 01:27:01.279388       1 main.go:215] started";
    let key = format!("-----BEGIN EC PRIVATE KEY-----\n{}\nAbc=\n-----END EC PRIVATE KEY-----", lines.join("\n"));
    let folder = dir.path().join("logs");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("a.log"), format!("{header}\n{key}\n{header}\nanother line\n")).unwrap();
    let bytes = everything(&collect(&folder));
    assert!(found(&bytes, lines.iter().map(String::as_str).chain(["Abc="])).is_empty());
    assert_eq!(found(&bytes, [header, "another line"].into_iter()).len(), 2);
}

/// The captured scenarios hold two values of one Secret, and nothing else that may go.
#[test]
fn nothing_is_taken_out_of_real_evidence_but_secrets() {
    let mut kinds = BTreeSet::new();
    for scenario in scenarios() {
        let dir = unpack(&scenario);
        let folder = dir.path().join(&scenario);
        std::fs::remove_file(folder.join("truth.json")).unwrap();
        for row in rows::redactions(&collect(&folder)) {
            kinds.insert((row["kind"].clone(), row["table_name"].clone(), row["column_name"].clone()));
        }
    }
    assert!(!kinds.is_empty());
    assert!(
        kinds.iter().all(|(kind, _, column)| kind == "secret" && ["payload", "object"].contains(&column.as_str())),
        "{kinds:?}"
    );
}

/// Nobody could know that this is a secret, except by its looks.
#[test]
fn what_looks_random_or_is_a_canary_is_not_published() {
    let random = "7Qf3kLm9ZpT2vR8sWn4YbHc6JdG1aEoU5iXqBtKzNy0M";
    let dir = TempDir::with_prefix("dacapo-test-").unwrap();
    let folder = dir.path().join("logs");
    std::fs::create_dir(&folder).unwrap();
    let header = "I1116 01:27:01.279388       1 main.go:215]";
    let collect = |options: &[&str]| {
        let bundle = dir.path().join("x.dacapo");
        let answer = run(dacapo().arg("collect").args(options).arg("--from").arg(&folder).arg("-o").arg(&bundle));
        (answer, std::fs::remove_file(bundle).is_ok())
    };
    std::fs::write(folder.join("a.log"), format!("{header} started\n{header} sent {random}\n")).unwrap();
    let (answer, written) = collect(&[]);
    assert_eq!((answer.code, written), (Some(2), false), "{}", answer.describe());
    assert!(
        answer.stderr.contains("a random string in log_lines:2, column text, from logs/a.log line 2"),
        "{}",
        answer.stderr
    );
    assert!(!answer.stderr.contains(random), "{}", answer.stderr);
    assert!(matches!(collect(&["--allow-leaks"]), (answer, true) if answer.code == Some(0)));
    std::fs::write(folder.join("a.log"), format!("{header} started\n{header} sent bmlnaHRpbmdhbGU=\n")).unwrap();
    assert!(matches!(collect(&[]), (answer, true) if answer.code == Some(0)));
    let (answer, written) = collect(&["--canary", "nightingale"]);
    assert_eq!((answer.code, written), (Some(2), false), "{}", answer.describe());
    assert!(
        answer.stderr.contains("a canary in log_lines:2") && !answer.stderr.contains("nightingale"),
        "{}",
        answer.stderr
    );
    assert!(!collect(&["--canary", "started", "--no-redact"]).1);
}
