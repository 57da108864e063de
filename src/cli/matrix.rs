//! `dacapo matrix`

use super::Form;
use super::choosing::Choosing;
use super::error::Failure;
use super::opening::Opening;
use super::ui::Ui;
use crate::analysis::{self, MatrixAsk, WorksAsk};
use crate::model::{Figure, RequestKind, Side};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Groups that a person looks at; a program gets them all.
const LISTED: usize = 20;

/// Count requests hop by hop, and show where a fleet is stuck
///
/// Judges every request of every work in the bundle as trace does, and counts for each consumer, pod or source how many came
/// through each hop, how many stopped there, and how long it took. Exits with 0 if no work is stuck and all can be told, with
/// 1 if the newest request of one was stopped, refused or cannot be told, with 2 if there is no answer.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dacapo matrix incident.dacapo
  dacapo matrix incident.dacapo --by pod --show p95
  dacapo matrix incident.dacapo --request delete --since 2h
  dacapo matrix incident.dacapo --consumer cluster1 --by source
  dacapo matrix incident.dacapo --format csv > hops.csv")]
pub struct MatrixArgs {
    /// The bundle
    bundle: PathBuf,
    /// What requests are counted by
    #[arg(long, value_enum, default_value_t = By::Consumer)]
    by: By,
    /// What the fields of the picture show; json and csv have it all
    #[arg(long, value_enum, default_value_t = Shown::Counts)]
    show: Shown,
    /// Only requests of these kinds
    #[arg(long, value_name = "KIND,…", value_delimiter = ',', value_parser = request_parser())]
    request: Vec<RequestKind>,
    #[command(flatten)]
    choosing: Choosing,
    /// List so many consumers, pods or sources, those first that need somebody; all are counted [default: 20 for people,
    /// all for json and csv]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = Form::TEXT)]
    format: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum By {
    Consumer,
    /// Where a hop happened
    Pod,
    Source,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Shown {
    /// How many passed, are stuck, are on their way, cannot be told
    Counts,
    /// The time that half of the requests take since the hop before
    P50,
    /// The time that 95 % of them take
    P95,
    /// The longest time
    Max,
}

fn request_parser() -> impl TypedValueParser<Value = RequestKind> {
    PossibleValuesParser::new(RequestKind::ALL.map(RequestKind::name))
        .try_map(|name| RequestKind::parse(&name).ok_or("not a kind of request"))
}

impl MatrixArgs {
    pub fn run(&self, ui: &Ui, opening: &Opening) -> Result<ExitCode, Failure> {
        let reader = Arc::new(opening.open(&self.bundle, ui)?);
        let waiting = ui.wait("reading the evidence");
        let matrix = analysis::matrix(&reader, &self.ask(), |done, all| waiting.judged(done, all));
        waiting.finish();
        let matrix = matrix?;
        ui.answer(&matrix, self.format)?;
        matrix.not_there.iter().for_each(|name| ui.warn(name));
        Ok(ExitCode::from(u8::from(!matrix.is_well())))
    }

    fn ask(&self) -> MatrixAsk {
        let limit = self.limit.or_else(|| (!self.format.0.is_for_programs()).then_some(LISTED));
        MatrixAsk {
            by: match self.by {
                By::Consumer => Side::Consumer,
                By::Pod => Side::Pod,
                By::Source => Side::Source,
            },
            show: match self.show {
                Shown::Counts => Figure::Counts,
                Shown::P50 => Figure::P50,
                Shown::P95 => Figure::P95,
                Shown::Max => Figure::Max,
            },
            requests: self.request.clone(),
            of: WorksAsk { limit, ..self.choosing.ask() },
        }
    }
}
