//! `dacapo works`

use super::Form;
use super::error::Failure;
use super::trace::moment;
use super::ui::Ui;
use crate::analysis::{self, Order, WorksAsk};
use crate::bundle::Reader;
use crate::model::Outcome;
use crate::schema::Moment;
use clap::builder::{PossibleValuesParser, TypedValueParser};
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
    /// Only works whose newest request was stopped
    #[arg(long, conflicts_with = "outcome")]
    stopped: bool,
    /// Only works whose newest request came to one of these ends
    #[arg(long, value_name = "OUTCOME,…", value_delimiter = ',', value_parser = outcome_parser())]
    outcome: Vec<Outcome>,
    /// Only works of this consumer; may be given several times
    #[arg(long, value_name = "NAME")]
    consumer: Vec<String>,
    /// Only works of this source; may be given several times
    #[arg(long, value_name = "ID")]
    source: Vec<String>,
    /// Only works that carry this label, on themselves or on what they made; of several, all
    #[arg(long, value_name = "KEY=VALUE", value_parser = label)]
    label: Vec<(String, String)>,
    /// Only works that have been where they are since then or later: 2026-01-15T09:45:12Z, 09:45:12, or 10m before the
    /// evidence was taken
    #[arg(long, value_name = "TIME", value_parser = moment)]
    since: Option<Moment>,
    /// Only works that have been where they are since then or earlier
    #[arg(long, value_name = "TIME", value_parser = moment)]
    until: Option<Moment>,
    /// Only works whose newest request came to this hop and no further; 0 is none at all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=9))]
    hop: Option<u8>,
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

fn outcome_parser() -> impl TypedValueParser<Value = Outcome> {
    let words = PossibleValuesParser::new(Outcome::ALL.map(Outcome::word));
    words.try_map(|word| Outcome::ALL.into_iter().find(|outcome| outcome.word() == word).ok_or("not an outcome"))
}

fn label(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(key, _)| !key.is_empty());
    pair.map(|(key, value)| (key.to_owned(), value.to_owned())).ok_or_else(|| "not a label; write KEY=VALUE".to_owned())
}

impl WorksArgs {
    pub fn run(&self, ui: &Ui) -> Result<ExitCode, Failure> {
        let reader = Reader::open(&self.bundle)?;
        let count = ui.count("works");
        let works = analysis::works(&reader, &self.ask(), |done, all| count.reached(done, all));
        count.finish();
        let works = works?;
        ui.answer(&works, self.format)?;
        Ok(ExitCode::from(u8::from(!works.are_well())))
    }

    fn ask(&self) -> WorksAsk {
        WorksAsk {
            outcomes: self.outcome.iter().copied().chain(self.stopped.then_some(Outcome::Stopped)).collect(),
            consumers: self.consumer.clone(),
            sources: self.source.clone(),
            labels: self.label.clone(),
            hop: self.hop,
            since: self.since,
            until: self.until,
            order: match self.sort {
                None => Order::Outcome,
                Some(Sort::Name) => Order::Name,
                Some(Sort::Since) => Order::Since,
                Some(Sort::Hop) => Order::Hop,
                Some(Sort::Consumer) => Order::Consumer,
            },
            limit: self.limit,
        }
    }
}
