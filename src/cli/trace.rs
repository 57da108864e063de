//! `dacapo trace`

use super::Form;
use super::error::Failure;
use super::opening::Opening;
use super::ui::Ui;
use crate::analysis::{self, Ask, TimelineAsk};
use crate::model::{RequestKind, Source, Trace};
use crate::schema::Moment;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::process::ExitCode;

/// Tell what happened to a work
///
/// Follows its requests through nine hops, from the client to the agent and back, and says where they stopped
/// and why. Exits with 0 if the newest request was completed (or is on its way), with 1 if it was stopped,
/// refused or cannot be told, with 2 if there is no answer.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dacapo trace incident.dacapo nginx-work
  dacapo trace incident.dacapo deploy/default/nginx
  dacapo trace incident.dacapo api.openshift.com/id=2f7c9kq1
  dacapo trace incident.dacapo 0b14ee1e-1543-5748-bba9-abb351ceff99 --request update --version 3
  dacapo trace incident.dacapo nginx-work --detail
  dacapo trace incident.dacapo nginx-work --timeline --only agent,cluster --since 10m
  dacapo trace incident.dacapo nginx-work --format json")]
pub struct TraceArgs {
    /// The bundle
    bundle: PathBuf,
    /// Resource id, work name, kind/name or kind/namespace/name of a manifest, AppliedManifestWork name, op-id, event id,
    /// key=value or the value of a label, Azure resource id
    id: String,
    /// Only requests of this kind
    #[arg(long, value_enum)]
    request: Option<Kind>,
    /// Only the request with this version
    #[arg(long, value_name = "N")]
    version: Option<i64>,
    /// Only this life of the work, counted from 1
    #[arg(long, value_name = "N")]
    life: Option<i64>,
    /// Show the steps of each hop, and how often each was done
    #[arg(long, conflicts_with = "timeline")]
    detail: bool,
    /// Show every row and line about the work, from all sources, in the order of their times
    #[arg(long)]
    timeline: bool,
    /// Of the timeline, only these sources
    #[arg(long, value_name = "SOURCE,…", value_delimiter = ',', requires = "timeline", value_parser = source_parser())]
    only: Vec<Source>,
    /// Of the timeline, only from then on: 2026-01-15T09:45:12Z, 09:45:12, or 10m before the evidence was taken
    #[arg(long, value_name = "TIME", requires = "timeline", value_parser = moment)]
    since: Option<Moment>,
    /// Of the timeline, only until then
    #[arg(long, value_name = "TIME", requires = "timeline", value_parser = moment)]
    until: Option<Moment>,
    /// In the timeline, log lines word for word, and none folded
    #[arg(long, requires = "timeline")]
    raw: bool,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = Form::TEXT)]
    format: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    Create,
    Update,
    Delete,
}

fn source_parser() -> impl TypedValueParser<Value = Source> {
    let names = PossibleValuesParser::new(Source::ALL.map(Source::name));
    names.try_map(|name| Source::parse(&name).ok_or("not a source"))
}

pub fn moment(text: &str) -> Result<Moment, String> {
    Moment::parse(text).ok_or_else(|| "not a time; write it like 2026-01-15T09:45:12Z, 09:45:12 or 10m".to_owned())
}

impl TraceArgs {
    pub fn run(&self, ui: &Ui, opening: &Opening) -> Result<ExitCode, Failure> {
        let reader = opening.open(&self.bundle, ui)?;
        let trace = analysis::trace(&reader, &self.ask())?;
        let unclear = trace.works.is_empty() && !trace.candidates.is_empty();
        if unclear && !self.format.0.is_for_programs() {
            return Err(Failure::unclear(&trace));
        }
        ui.answer(&trace, self.format)?;
        Ok(ExitCode::from(if unclear { 2 } else { u8::from(!is_well(&trace)) }))
    }

    fn ask(&self) -> Ask {
        let request = self.request.map(|kind| match kind {
            Kind::Create => RequestKind::Create,
            Kind::Update => RequestKind::Update,
            Kind::Delete => RequestKind::Delete,
        });
        // A person wants the newest request; a program wants all of them.
        let newest_only = !self.format.0.is_for_programs();
        let (only, since, until, raw) = (self.only.clone(), self.since, self.until, self.raw);
        Ask {
            query: self.id.clone(),
            request,
            version: self.version,
            life: self.life,
            newest_only,
            detail: self.detail,
            timeline: self.timeline.then_some(TimelineAsk { only, since, until, raw }),
        }
    }
}

fn is_well(trace: &Trace) -> bool {
    trace.works.iter().all(|work| work.requests.first().is_some_and(|newest| newest.outcome.is_well()))
}
