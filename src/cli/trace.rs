//! `dacapo trace`

use super::Form;
use super::error::Failure;
use super::ui::Ui;
use crate::analysis::{self, Ask};
use crate::bundle::Reader;
use crate::model::{Outcome, RequestKind, Trace};
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
  dacapo trace incident.dacapo 0b14ee1e-1543-5748-bba9-abb351ceff99 --request update --version 3
  dacapo trace incident.dacapo nginx-work --format json")]
pub struct TraceArgs {
    /// The bundle
    bundle: PathBuf,
    /// Resource id, work name, AppliedManifestWork name, op-id or event id
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

impl TraceArgs {
    pub fn run(&self, ui: &Ui) -> Result<ExitCode, Failure> {
        let reader = Reader::open(&self.bundle)?;
        let trace = analysis::trace(&reader, &self.ask())?;
        ui.answer(&trace, self.format)?;
        Ok(ExitCode::from(u8::from(!is_well(&trace))))
    }

    fn ask(&self) -> Ask {
        let request = self.request.map(|kind| match kind {
            Kind::Create => RequestKind::Create,
            Kind::Update => RequestKind::Update,
            Kind::Delete => RequestKind::Delete,
        });
        // A person wants the newest request; a program wants all of them.
        let newest_only = !self.format.0.is_for_programs();
        Ask { query: self.id.clone(), request, version: self.version, life: self.life, newest_only }
    }
}

fn is_well(trace: &Trace) -> bool {
    trace.works.iter().all(|work| {
        let newest = work.requests.first().map(|request| request.outcome);
        matches!(newest, Some(Outcome::Completed | Outcome::InProgress | Outcome::Superseded))
    })
}
