//! `dacapo works`

use super::Form;
use super::choosing::Choosing;
use super::error::Failure;
use super::opening::Opening;
use super::ui::Ui;
use crate::analysis::{self, Order, WorksAsk};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::process::ExitCode;

/// List all works and how far each came
///
/// Judges the newest request of every work in the bundle as trace does, without looking for causes. Exits with 0 if none
/// of the works that are asked for was stopped, refused or cannot be told, with 1 if one was, with 2 if there is no answer.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dacapo works incident.dacapo
  dacapo works incident.dacapo --stopped --sort since
  dacapo works incident.dacapo --consumer cluster1 --outcome stopped,unknown
  dacapo works incident.dacapo --label api.openshift.com/id=2f7c9kq1
  dacapo works incident.dacapo --hop 2 --since 2h --format csv")]
pub struct WorksArgs {
    /// The bundle
    bundle: PathBuf,
    #[command(flatten)]
    choosing: Choosing,
    /// What comes first; without it, what needs somebody
    #[arg(long, value_enum)]
    sort: Option<Sort>,
    /// List so many; all are counted
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = Form::TEXT)]
    format: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Sort {
    Name,
    /// The longest wait first
    Since,
    Hop,
    Consumer,
}

impl WorksArgs {
    pub fn run(&self, ui: &Ui, opening: &Opening) -> Result<ExitCode, Failure> {
        let reader = opening.open(&self.bundle, ui)?;
        let waiting = ui.wait("reading the evidence");
        let works = analysis::works(&reader, &self.ask(), |done, all| waiting.judged(done, all));
        waiting.finish();
        let works = works?;
        ui.answer(&works, self.format)?;
        works.not_there.iter().for_each(|name| ui.warn(name));
        Ok(ExitCode::from(u8::from(!works.are_well())))
    }

    fn ask(&self) -> WorksAsk {
        WorksAsk {
            order: match self.sort {
                None => Order::Outcome,
                Some(Sort::Name) => Order::Name,
                Some(Sort::Since) => Order::Since,
                Some(Sort::Hop) => Order::Hop,
                Some(Sort::Consumer) => Order::Consumer,
            },
            limit: self.limit,
            ..self.choosing.ask()
        }
    }
}
