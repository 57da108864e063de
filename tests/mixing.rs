//! The same evidence in another order, beside another installation's, written at another verbosity or by a clock that is
//! off gives the same verdicts.
//!
//! `DACAPO_SCENARIOS=agent-down,missing-crd` tries only these.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

pub mod rewrite;

use std::path::{Path, PathBuf};

use crate::support::truth::Truth;
use crate::support::{chosen_scenarios, dacapo, on_two_threads, run, trace_json, unpack};
use rewrite::{at_verbosity, by_another_clock, rewrite, undelivered, under_other_ids};

/// Every scenario is handed over in some other way, and all its requests must be judged as its truth says.
fn same_verdicts(hand_over: impl Fn(usize, &Path) -> Vec<PathBuf> + Sync) {
    let scenarios: Vec<(usize, String)> = chosen_scenarios().into_iter().enumerate().collect();
    let wrong = on_two_threads(&scenarios, |(at, scenario)| {
        let dir = unpack(scenario);
        let folder = dir.path().join(scenario);
        let bundle = collect(&hand_over(*at, &folder), &dir.path().join("mixed.dacapo"));
        let wrong = wrong_about(&bundle, &Truth::read(&folder), &str::to_owned);
        wrong.into_iter().map(|line| format!("{scenario}: {line}")).collect()
    });
    let wrong: Vec<String> = wrong.into_iter().flat_map(|wrong: Vec<String>| wrong).collect();
    assert!(wrong.is_empty(), "\n{} wrong answers\n{}", wrong.len(), wrong.join("\n"));
}

fn collect(from: &[PathBuf], bundle: &Path) -> PathBuf {
    let mut command = dacapo();
    command.arg("collect").arg("-o").arg(bundle);
    from.iter().for_each(|path| {
        command.arg("--from").arg(path);
    });
    let answer = run(&mut command);
    assert_eq!(answer.code, Some(0), "{from:?}: {}", answer.describe());
    bundle.to_owned()
}

fn wrong_about(bundle: &Path, truth: &Truth, id: &dyn Fn(&str) -> String) -> Vec<String> {
    let mut wrong = Vec::new();
    for focus in &truth.focus {
        let mut arguments = focus.arguments();
        arguments[0] = id(&focus.resource_id);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        match trace_json(bundle, &arguments) {
            Ok((_, answer)) => wrong.extend(
                focus
                    .differences(&answer["works"][0]["requests"][0])
                    .into_iter()
                    .map(|difference| format!("{}: {difference}", focus.name())),
            ),
            Err(why) => wrong.push(format!("{}: {why}", focus.name())),
        }
    }
    wrong
}

fn below(folder: &Path) -> Vec<PathBuf> {
    let Ok(found) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<PathBuf> = found.map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

#[test]
fn the_order_of_files_does_not_matter() {
    same_verdicts(|_, folder| {
        // Folders of clusters are named by where they lie, so they stay where they are.
        let parts = ["logs", "kube"].map(|part| folder.join(part)).into_iter().filter(|part| part.exists());
        parts.chain(below(&folder.join("db")).into_iter().rev()).collect()
    });
}

/// Ids are the same in all scenarios, so those of the other installation are changed.
#[test]
fn another_installation_beside_it_does_not_matter() {
    let scenarios = crate::support::scenarios();
    let pairs: Vec<(&String, &String)> =
        scenarios.iter().zip(scenarios.iter().cycle().skip(scenarios.len() / 3)).step_by(2).collect();
    let wrong = on_two_threads(&pairs, |(one, other)| {
        let (one_dir, other_dir) = (unpack(one), unpack(other));
        let (folder, other_folder) = (one_dir.path().join(one), other_dir.path().join(other));
        let renamed = one_dir.path().join("other-installation");
        rewrite(&other_folder, &renamed, |_, text| under_other_ids(text));
        let bundle = collect(&[renamed, folder.clone()], &one_dir.path().join("both.dacapo"));
        let own = wrong_about(&bundle, &Truth::read(&folder), &str::to_owned);
        let others = wrong_about(&bundle, &Truth::read(&other_folder), &under_other_ids);
        own.into_iter().chain(others).map(|line| format!("{one} beside {other}: {line}")).collect()
    });
    let wrong: Vec<String> = wrong.into_iter().flat_map(|wrong: Vec<String>| wrong).collect();
    assert!(wrong.is_empty(), "\n{} wrong answers\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn verbosity_does_not_matter() {
    same_verdicts(|at, folder| {
        let target = folder.with_file_name("louder");
        let verbosity = if at % 2 == 0 { 5 } else { 4 };
        rewrite(folder, &target, |_, text| at_verbosity(text, verbosity));
        vec![target]
    });
}

#[test]
fn an_agent_whose_clock_is_off_does_not_matter() {
    same_verdicts(|at, folder| {
        let target = folder.with_file_name("off");
        let seconds = if at % 2 == 0 { 3 } else { -3 };
        rewrite(folder, &target, |file, text| by_another_clock(file, text, seconds));
        vec![target]
    });
}

/// The agent had not got it yet when the evidence was taken, so none of its lines tells how its clock goes.
#[test]
fn a_request_of_the_last_moment_is_on_its_way_by_any_clock_of_the_agent() {
    let scenario = "healthy-create";
    let dir = unpack(scenario);
    let folder = dir.path().join(scenario);
    let truth = Truth::read(&folder);
    let id = &truth.focus.iter().find(|focus| !focus.neighbour).unwrap().resource_id;
    for seconds in [30, 3600] {
        let target = dir.path().join(format!("ahead-{seconds}"));
        rewrite(&folder, &target, |file, text| by_another_clock(file, &undelivered(file, text, id), seconds));
        std::fs::remove_dir_all(target.join("kube")).unwrap();
        let bundle = collect(std::slice::from_ref(&target), &target.with_extension("dacapo"));
        let (_, answer) = trace_json(&bundle, &[id]).unwrap();
        let work = &answer["works"][0];
        assert_eq!(work["requests"][0]["outcome"], "in-progress", "{seconds} s ahead: {work}");
    }
}
