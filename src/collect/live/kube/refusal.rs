//! Why an API server did not give what was asked for, and whether it may the next time.

use super::super::trouble::Trouble;
use super::failure::{auth_error, refused};
use crate::collect::outcome::Status;
use http::StatusCode;
use http::header::RETRY_AFTER;
use http::response::Parts;
use serde::Deserialize;
use std::time::Duration;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub trouble: Trouble,
    /// What HTTP says, if there was an answer.
    pub code: Option<StatusCode>,
    /// The same request may succeed later.
    pub passes: bool,
    /// The server says when.
    pub after: Option<Duration>,
    /// There was more of an answer than fits.
    pub too_long: bool,
}

impl Refusal {
    /// There was no answer, or it broke off.
    pub fn unreachable(error: &kube::Error) -> Self {
        // A plugin for credentials may ask a person; it does so once.
        let passes =
            matches!(error, kube::Error::Service(_) | kube::Error::HyperError(_)) && auth_error(error).is_none();
        Self { passes, ..refused(error).into() }
    }

    pub fn too_long(most: usize) -> Self {
        let trouble = Trouble::new(Status::Failed, format!("the answer has more than {most} bytes"));
        Self { too_long: true, ..trouble.into() }
    }

    pub fn answered(head: &Parts, body: &[u8]) -> Self {
        let code = head.status;
        let status = match code {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Status::Denied,
            StatusCode::NOT_FOUND => Status::NotFound,
            StatusCode::REQUEST_TIMEOUT | StatusCode::GATEWAY_TIMEOUT => Status::TimedOut,
            _ => Status::Failed,
        };
        let said = words(body);
        let why = if said.is_empty() { code.to_string() } else { format!("{said} ({code})") };
        let seconds = head.headers.get(RETRY_AFTER).and_then(|after| after.to_str().ok()?.parse::<u64>().ok());
        Self {
            trouble: Trouble::new(status, why),
            code: Some(code),
            passes: code == StatusCode::TOO_MANY_REQUESTS || code.is_server_error(),
            after: seconds.map(Duration::from_secs),
            too_long: false,
        }
    }

    /// The place in a list that a page was to begin at is forgotten.
    pub fn is_expired(&self) -> bool {
        self.code == Some(StatusCode::GONE)
    }
}

/// What a `Status` says, or the beginning of whatever stands there instead.
fn words(body: &[u8]) -> String {
    #[derive(Deserialize)]
    struct Said {
        message: String,
    }
    let told = serde_json::from_slice::<Said>(body).ok().map(|said| said.message);
    told.unwrap_or_else(|| String::from_utf8_lossy(body).trim().chars().take(300).collect())
}

impl From<Trouble> for Refusal {
    fn from(trouble: Trouble) -> Self {
        Self { trouble, code: None, passes: false, after: None, too_long: false }
    }
}

impl From<Refusal> for Trouble {
    fn from(refusal: Refusal) -> Self {
        refusal.trouble
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(code: u16, after: Option<&str>, body: &str) -> Refusal {
        let mut response = http::Response::builder().status(code);
        if let Some(after) = after {
            response = response.header(RETRY_AFTER, after);
        }
        Refusal::answered(&response.body(()).unwrap().into_parts().0, body.as_bytes())
    }

    #[test]
    fn an_answer_is_told_in_the_servers_words() {
        let denied = answered(403, None, r#"{"kind": "Status", "message": "pods is forbidden", "code": 403}"#);
        assert_eq!(denied.trouble, Trouble::new(Status::Denied, "pods is forbidden (403 Forbidden)"));
        assert_eq!(answered(502, None, "").trouble.why, "502 Bad Gateway");
        assert_eq!(answered(404, None, "404 page not found\n").trouble.status, Status::NotFound);
    }

    #[test]
    fn only_what_may_pass_is_asked_again() {
        assert!(answered(500, None, "").passes && answered(503, None, "").passes);
        assert!(![400, 401, 403, 404, 410].iter().any(|code| answered(*code, None, "").passes));
        let busy = answered(429, Some("3"), "");
        assert_eq!((busy.passes, busy.after), (true, Some(Duration::from_secs(3))));
        assert!(answered(410, None, "").is_expired());
    }
}
