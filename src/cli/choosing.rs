//! Options that choose among the requests of a bundle.

use super::trace::moment;
use crate::analysis::WorksAsk;
use crate::model::Outcome;
use crate::schema::Moment;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

#[derive(Debug, Args)]
pub struct Choosing {
    /// Only what was stopped
    #[arg(long, conflicts_with = "outcome")]
    stopped: bool,
    /// Only what came to one of these ends
    #[arg(long, value_name = "OUTCOME,…", value_delimiter = ',', value_parser = outcome_parser())]
    outcome: Vec<Outcome>,
    /// Only what is for this consumer; may be given several times
    #[arg(long, value_name = "NAME")]
    consumer: Vec<String>,
    /// Only what this source asked for; may be given several times
    #[arg(long, value_name = "ID")]
    source: Vec<String>,
    /// Only works that carry this label, on themselves or on what they made; of several, all
    #[arg(long, value_name = "KEY=VALUE", value_parser = label)]
    label: Vec<(String, String)>,
    /// Only what has been where it is since then or later: 2026-01-15T09:45:12Z, 09:45:12, or 10m before the evidence was
    /// taken
    #[arg(long, value_name = "TIME", value_parser = moment)]
    since: Option<Moment>,
    /// Only what has been where it is since then or earlier
    #[arg(long, value_name = "TIME", value_parser = moment)]
    until: Option<Moment>,
    /// Only what came to this hop and no further; 0 is none at all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=9))]
    hop: Option<u8>,
}

impl Choosing {
    /// In the usual order, and without a limit.
    pub fn ask(&self) -> WorksAsk {
        WorksAsk {
            outcomes: self.outcome.iter().copied().chain(self.stopped.then_some(Outcome::Stopped)).collect(),
            consumers: self.consumer.clone(),
            sources: self.source.clone(),
            labels: self.label.clone(),
            hop: self.hop,
            since: self.since,
            until: self.until,
            ..WorksAsk::default()
        }
    }
}

fn outcome_parser() -> impl TypedValueParser<Value = Outcome> {
    let words = PossibleValuesParser::new(Outcome::ALL.map(Outcome::word));
    words.try_map(|word| Outcome::ALL.into_iter().find(|outcome| outcome.word() == word).ok_or("not an outcome"))
}

fn label(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(key, _)| !key.is_empty());
    pair.map(|(key, value)| (key.to_owned(), value.to_owned())).ok_or_else(|| "not a label; write KEY=VALUE".to_owned())
}
