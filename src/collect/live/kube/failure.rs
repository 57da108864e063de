//! What is told of the client's own errors. Some of them print a plugin's variables, arguments and output, or lines of a
//! kubeconfig: there are credentials among those, and nothing of them reaches a message or a bundle.

use super::super::trouble::Trouble;
use crate::collect::outcome::Status;
use kube::client::{AuthError, UpgradeConnectionError};
use kube::config::KubeconfigError;
use std::error::Error;
use std::io;

/// A line break in a token, for example, would be one in the head of a request.
pub const UNFIT_TOKEN: &str = "the token has signs that no request can carry";

/// Why the client did not get what was asked for.
pub fn refused(error: &kube::Error) -> Trouble {
    if let Some(error) = auth_error(error) {
        return Trouble::new(Status::Failed, no_credentials(error));
    }
    match error {
        kube::Error::InferKubeconfig(error) => misconfigured(error),
        kube::Error::ProxyProtocolUnsupported { .. } | kube::Error::ProxyProtocolDisabled { .. } => {
            Trouble::new(Status::Failed, "the proxy of the kubeconfig has a protocol that is not supported")
        }
        kube::Error::Api(status) => {
            Trouble::new(status_of(status.code), format!("{} ({})", status.message, status.code))
        }
        kube::Error::UpgradeConnection(UpgradeConnectionError::ProtocolSwitch(code)) => {
            Trouble::of(status_of(code.as_u16()), error)
        }
        _ if causes(error).any(is_late) => Trouble::of(Status::TimedOut, error),
        _ => Trouble::of(Status::Failed, error),
    }
}

/// The part of an error that concerns credentials.
pub fn auth_error(error: &kube::Error) -> Option<&AuthError> {
    causes(error).find_map(|cause| cause.downcast_ref())
}

/// Why a kubeconfig cannot be used.
pub fn misconfigured(error: &KubeconfigError) -> Trouble {
    let error = match error {
        KubeconfigError::Parse(error) => error,
        // It says the file's name with two kinds of quotes around it; who reads the file says it better.
        KubeconfigError::ReadConfig(error, _) => return Trouble::of(Status::Failed, error),
        _ => return Trouble::of(Status::Failed, error),
    };
    let place = error.location().map(|place| format!(" (line {}, column {})", place.line(), place.column()));
    Trouble::new(Status::Failed, format!("the kubeconfig cannot be read{}", place.unwrap_or_default()))
}

/// What an answer with this code comes to.
fn status_of(code: u16) -> Status {
    match code {
        401 | 403 => Status::Denied,
        404 => Status::NotFound,
        408 | 504 => Status::TimedOut,
        _ => Status::Failed,
    }
}

fn no_credentials(error: &AuthError) -> String {
    match error {
        AuthError::AuthExecRun { out, .. } => format!("the credential plugin failed with {}", out.status),
        AuthError::AuthExecStart(error) => format!("the credential plugin could not be started: {error}"),
        AuthError::ReadTokenFile(error, path) => format!("the token in {} cannot be read: {error}", path.display()),
        AuthError::AuthExecParse(_) | AuthError::ExecPluginFailed | AuthError::MalformedTokenExpirationDate(_) => {
            "what the credential plugin wrote is no credential".to_owned()
        }
        AuthError::InvalidBearerToken(_) => UNFIT_TOKEN.to_owned(),
        AuthError::MissingCommand => "the kubeconfig names no command for the credential plugin".to_owned(),
        _ => "the kubeconfig gives no credentials that can be used".to_owned(),
    }
}

fn causes<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(Some(error), |error: &&'e (dyn Error + 'static)| (*error).source())
}

/// Did somebody wait too long, for example for a connection?
fn is_late(error: &(dyn Error + 'static)) -> bool {
    let late = |error: &io::Error| error.kind() == io::ErrorKind::TimedOut;
    error.is::<tokio::time::error::Elapsed>() || error.downcast_ref().is_some_and(late)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kube::core::Status as Answer;

    #[test]
    fn an_answer_is_told_by_its_code() {
        let answer =
            |code| kube::Error::Api(Box::new(Answer::failure("pods is forbidden", "Forbidden").with_code(code)));
        assert_eq!(refused(&answer(403)), Trouble::new(Status::Denied, "pods is forbidden (403)"));
        assert_eq!(refused(&answer(404)).status, Status::NotFound);
        assert_eq!(refused(&answer(500)).status, Status::Failed);
    }

    #[test]
    fn a_connection_that_takes_too_long_is_late() {
        let service = |kind| kube::Error::Service(Box::new(io::Error::new(kind, "no connection")));
        assert_eq!(refused(&service(io::ErrorKind::TimedOut)).status, Status::TimedOut);
        assert_eq!(refused(&service(io::ErrorKind::ConnectionRefused)).status, Status::Failed);
    }

    #[test]
    fn a_kubeconfig_that_cannot_be_read_is_not_repeated() {
        let text = "apiVersion: v1\nusers:\n- name: u\n  user:\n    token: [hunter2\n";
        let why = misconfigured(&kube::config::Kubeconfig::from_yaml(text).unwrap_err()).why;
        assert!(why.starts_with("the kubeconfig cannot be read (line ") && !why.contains("hunter2"), "{why}");
    }

    #[test]
    fn credentials_of_a_refresh_are_not_repeated() {
        let failed = AuthError::AuthExec("no field in {token: hunter2}".to_owned());
        let why = refused(&kube::Error::Service(Box::new(failed))).why;
        assert_eq!(why, "the kubeconfig gives no credentials that can be used");
    }
}
