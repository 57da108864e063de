//! `dacapo resolve`

use super::Form;
use super::error::Failure;
use super::opening::Opening;
use super::ui::Ui;
use crate::analysis::{self, ResolveAsk};
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// Tell what an identifier is, and compute ids from names
///
/// With a bundle and an ID: what the ID is taken for and which works it names, without tracing them. Without a bundle:
/// the resource id of a work from its source, consumer and name, the name of its AppliedManifestWork from the broker's
/// address, and a kind from any label that names a type. With both, which of them the bundle knows; sources and
/// consumers that are not given are then all that it knows. Exits with 0 if everything is found, with 1 if something is
/// not there or is a guess, with 2 if there is no answer.
#[derive(Debug, Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:
  dacapo resolve incident.dacapo deploy/default/nginx
  dacapo resolve --source mw-client-example --consumer cluster1 --work nginx-work
  dacapo resolve --source mw-client-example --consumer cluster1 --work nginx-work --broker maestro-mqtt-agent.maestro:1883
  dacapo resolve incident.dacapo --work nginx-work
  dacapo resolve --kind deploy --kind 'apps/v1, Resource=deployments'
  dacapo resolve --kind io.open-cluster-management.works.v1alpha1.manifestbundles.spec.create_request"
)]
pub struct Resolve {
    /// The bundle to look into
    bundle: Option<PathBuf>,
    /// Anything that dacapo trace takes
    id: Option<String>,
    /// Source id of the client; may be given several times, as may the following
    #[arg(long, value_name = "SOURCE", requires = "work")]
    source: Vec<String>,
    /// Consumer: the management cluster, which is the namespace of the ManifestWork
    #[arg(long, value_name = "CONSUMER", requires = "work")]
    consumer: Vec<String>,
    /// Name that the client gave the work
    #[arg(long, value_name = "NAME")]
    work: Vec<String>,
    /// Resource id, for the name of its AppliedManifestWork
    #[arg(long, value_name = "ID", requires = "broker")]
    resource_id: Vec<String>,
    /// Broker address as the agent's configuration has it: host and port with MQTT, the URL with gRPC, '' with Pub/Sub
    #[arg(long, value_name = "ADDRESS")]
    broker: Vec<String>,
    /// Kind, plural, short name, type of a CloudEvent, or what a log prints as gvr
    #[arg(long, value_name = "LABEL")]
    kind: Vec<String>,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = Form::TEXT)]
    format: Form,
}

impl Resolve {
    pub fn run(&self, ui: &Ui, opening: &Opening) -> Result<ExitCode, Failure> {
        let asked = self.id.is_some() || [&self.work, &self.broker, &self.kind].iter().any(|list| !list.is_empty());
        if !asked {
            let because = "there is no ID, no --work, no --broker and no --kind".to_owned();
            return Err(Failure::usage("nothing is asked for".to_owned(), because));
        }
        let reader = self.bundle.as_deref().map(|bundle| opening.open(bundle, ui)).transpose()?;
        let resolution = analysis::resolve(reader.as_ref(), &self.ask())?;
        ui.answer(&resolution, self.format)?;
        Ok(ExitCode::from(u8::from(!resolution.is_found())))
    }

    fn ask(&self) -> ResolveAsk {
        ResolveAsk {
            identifier: self.id.clone(),
            sources: self.source.clone(),
            consumers: self.consumer.clone(),
            works: self.work.clone(),
            resource_ids: self.resource_id.clone(),
            brokers: self.broker.clone(),
            kinds: self.kind.clone(),
        }
    }
}
