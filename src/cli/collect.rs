//! `dacapo collect`

use super::Form;
use super::error::Failure;
use super::interrupt;
use super::leaving::{Done, Leaving};
use super::live::Live;
use super::ui::Ui;
use crate::collect::{self, Input, Outcome, Plan, STDIN, Status, Summary, live};
use crate::model::{Asked, Collected, LeftOut, LiveStep, TakenForm};
use crate::render::size;
use crate::schema::Time;
use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Take evidence into a bundle
///
/// Reads folders, files and archives as people hand them over, works out by content what each is (database
/// exports and dumps, Kubernetes objects, logs), and writes one compressed, checksummed file. What was there
/// twice, could not be understood or was left out is counted and listed.
#[derive(Debug, Args)]
#[command(
    override_usage = "dacapo collect --output <FILE> [OPTIONS]",
    after_help = "Examples:
  dacapo collect --svc-context svc --mgmt-context mgmt-1 --since 2h -o incident.dacapo
  dacapo collect --database postgres://reader@db.example/maestro -o incident.dacapo
  dacapo collect --from ./evidence -o incident.dacapo
  dacapo collect --from must-gather.tar.gz --from logs.csv --from dump.sql -o incident.dacapo
  dacapo collect --from mgmt-1=./agent-logs --from component=server,./server.log -o incident.dacapo
  kubectl logs deploy/maestro | dacapo collect --from component=server,- -o server.dacapo
  dacapo collect --from ./evidence -o incident.dacapo --sign ~/.ssh/id_ed25519 --encrypt ./them.pub
  dacapo collect --from ./old-logs --taken-at 2025-12-31T23:00:00Z --exclude '*.tmp' -o old.dacapo"
)]
pub struct Collect {
    /// Folder, file or archive to read, - for standard input; may be given several times. What is known of it may
    /// stand before it: CLUSTER=PATH, or component=agent,pod=NAME,PATH (also cluster, namespace, container)
    #[arg(long, value_name = "[WHAT=]PATH", value_parser = OsStringValueParser::new().try_map(|text| Input::parse(&text)))]
    from: Vec<Input>,
    /// The bundle to write
    #[arg(long, short, value_name = "FILE", required_unless_present_any = ["dry_run", "check"])]
    output: Option<PathBuf>,
    /// Leave out files whose path or name matches (a shell pattern); may be given several times
    #[arg(long, value_name = "PATTERN")]
    exclude: Vec<String>,
    /// When the evidence was taken, if the evidence does not show it [default: the latest time in it]
    #[arg(long, value_name = "TIME", value_parser = time)]
    taken_at: Option<Time>,
    /// A label to keep with the bundle; may be given several times
    #[arg(long, value_name = "KEY=VALUE", value_parser = label)]
    label: Vec<(String, String)>,
    /// A note to keep with the bundle; may be given several times
    #[arg(long, value_name = "TEXT")]
    note: Vec<String>,
    /// Leave secrets in: passwords, tokens, private keys and the data of Secrets, as the evidence has them
    #[arg(long)]
    no_redact: bool,
    #[command(flatten)]
    leaving: Leaving,
    /// Exit with 1 if anything could not be read whole
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    live: Live,
}

fn time(text: &str) -> Result<Time, String> {
    Time::parse(text).ok_or_else(|| "not a time; write it like 2026-01-15T09:45:12Z".to_owned())
}

fn label(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(key, _)| !key.is_empty());
    pair.map(|(key, value)| (key.to_owned(), value.to_owned())).ok_or_else(|| "write it as KEY=VALUE".to_owned())
}

impl Collect {
    pub fn run(&self, ui: &Ui) -> Result<ExitCode, Failure> {
        let plan = self.plan(ui)?;
        if self.live.shows_password() {
            ui.warn("the password in --database can be seen by everybody who lists the processes of this machine");
            ui.hint("put it into PGPASSWORD or ~/.pgpass");
        }
        if self.live.dry_run {
            return self.dry_run(&plan, ui);
        }
        if self.live.check {
            return check(&plan, ui);
        }
        let bar = ui.progress(self.from.iter().all(|input| input.path != Path::new(STDIN)));
        let summary = collect::collect(&plan, &bar);
        bar.finish();
        let summary = summary?;
        report(&summary, ui);
        let done = Done {
            path: &summary.published.path,
            replaced: &summary.replaced,
            common: &summary.common,
            known_redactions: 0,
        };
        self.leaving.report(&done, ui)?;
        if self.no_redact {
            ui.warn("the bundle is NOT REDACTED: Secrets and tokens of the evidence are in it");
            ui.hint("hand it to nobody who may not have them");
        }
        let whole = summary.steps.iter().all(|step| step.status.is_well());
        Ok(ExitCode::from(u8::from(self.strict && !whole)))
    }

    /// Lists what would be asked and read.
    fn dry_run(&self, plan: &Plan, ui: &Ui) -> Result<ExitCode, Failure> {
        let mut requests = live::requests(plan.live.as_ref())?;
        requests.sources.extend(self.from.iter().map(|input| Asked {
            source: "files".to_owned(),
            requests: vec![format!("read {}", input.path.display())],
        }));
        ui.answer(&requests, Form::TEXT)?;
        Ok(ExitCode::SUCCESS)
    }

    fn plan(&self, ui: &Ui) -> Result<Plan, Failure> {
        let live = self.live.wanted()?;
        if self.from.is_empty() && live.is_none() {
            let because = "neither files nor a running system are named".to_owned();
            let hints = vec![
                "name files with --from, a cluster with --svc-context or --mgmt-context, a database with --database"
                    .to_owned(),
            ];
            return Err(Failure { hints, ..Failure::usage("there is nothing to collect from".to_owned(), because) });
        }
        let stop = interrupt::listen(self.live.keep_partial);
        let output = self.output.as_deref().unwrap_or(Path::new(""));
        Ok(Plan {
            from: self.from.clone(),
            live,
            output: output.to_owned(),
            exclude: self.exclude.clone(),
            taken_at: self.taken_at,
            labels: self.label.iter().cloned().collect(),
            notes: self.note.clone(),
            keeps_secrets: self.no_redact,
            leaving: self.leaving.wanted(output, stop.clone(), ui)?,
            stop,
        })
    }
}

/// Says which permissions are missing.
fn check(plan: &Plan, ui: &Ui) -> Result<ExitCode, Failure> {
    let Some(wanted) = &plan.live else {
        let because = "no running system is named".to_owned();
        return Err(Failure::usage("there is nothing to check".to_owned(), because));
    };
    let bar = ui.progress(true);
    let rights = live::check(wanted, &bar, &plan.stop);
    bar.finish();
    let rights = rights?;
    ui.answer(&rights, Form::TEXT)?;
    for needed in rights.sources.iter().filter(|needed| needed.lacks_any() && needed.is_known()) {
        ui.say(&format!("what an administrator applies for {}:", needed.source));
        ui.raw(format!("{}\n", needed.grants.trim_end()).as_bytes())?;
    }
    Ok(ExitCode::from(u8::from(!rights.are_granted())))
}

fn report(summary: &Summary, ui: &Ui) {
    ui.tell(&collected(&summary.steps));
    let troubled = summary.steps.iter().filter(|step| !step.status.is_well());
    let mut before = "";
    for step in troubled {
        if std::mem::replace(&mut before, &step.target) == step.target {
            continue;
        }
        ui.warn(&format!("{} {}: {}", step.target, step.status.name(), step.error.as_deref().unwrap_or_default()));
    }
    for pattern in &summary.unmet_patterns {
        ui.warn(&format!("--exclude {pattern} met nothing"));
    }
    if summary.taken_too_early {
        ui.warn("--taken-at is before the latest time in the evidence; waits are counted from what you said");
    }
    if summary.guessed_year {
        ui.warn("no year is in the evidence, so log lines are given the year 2000");
        ui.hint("say when it was taken: --taken-at 2026-01-15T09:45:12Z");
    }
    let published = &summary.published;
    ui.say(&format!(
        "{}  {} (from {})  sha256 {}",
        published.path.display(),
        size(published.bytes),
        size(summary.read_bytes),
        published.sha256
    ));
}

fn collected(steps: &[Outcome]) -> Collected {
    let mut forms: BTreeMap<&'static str, TakenForm> = BTreeMap::new();
    let mut before = "";
    for step in steps {
        if let Some(name) = step.taken_for {
            let form = forms.entry(name).or_insert_with(|| TakenForm { name: name.to_owned(), ..TakenForm::default() });
            // A file that fills several tables has several steps, one after the other.
            form.files += u64::from(step.target != before);
            form.seen += step.seen;
            form.rows += step.rows;
            form.duplicates += step.duplicates;
            form.unknown += step.unknown;
            form.skipped += step.skipped;
        }
        before = &step.target;
    }
    let (left, others): (Vec<&Outcome>, Vec<&Outcome>) = steps.iter().partition(|step| step.status == Status::LeftOut);
    let left = left.iter().map(|step| (step.target.as_str(), step.error.as_deref().unwrap_or_default()));
    let remarks = steps.iter().flat_map(|step| step.remarks.iter().map(|remark| format!("{}: {remark}", step.target)));
    Collected {
        live: LiveStep::in_order(steps.iter().filter_map(|step| LiveStep::of(&step.row()))),
        forms: forms.into_values().collect(),
        left_out: LeftOut::group(left, others.iter().map(|step| step.target.as_str())),
        remarks: remarks.collect(),
    }
}
