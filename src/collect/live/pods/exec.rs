//! Runs a command in a pod, feeds it and hears it out.

use crate::collect::live::desk::Desk;
use crate::collect::live::kube::{Connection, Pod, refused};
use crate::collect::live::trouble::Trouble;
use crate::collect::outcome::Status;
use k8s_openapi::api::core::v1::Pod as PodObject;
use kube::Api;
use kube::api::{AttachParams, AttachedProcess};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// Bytes that are read at once, and how many the connection may have ready.
const PIECE: usize = 64 << 10;
/// So much of what a command complains about is kept.
const COMPLAINTS: usize = 4 << 10;
/// Longer words in a complaint may be tokens; names and paths are shorter.
const LONGEST_WORD: usize = 80;

/// Runs `command` with `input` on its standard input, and hands on what it writes.
pub async fn run(
    connection: &Connection,
    desk: &Desk<'_>,
    pod: &Pod,
    command: &[&str],
    input: &str,
    take: impl FnMut(&[u8]) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    let api: Api<PodObject> = Api::namespaced(connection.client(desk).await?.clone(), &pod.namespace);
    let container = pod.for_commands().map(|container| container.name.clone());
    let options = AttachParams { container, ..AttachParams::default() };
    let options = options.stdin(true).stdout(true).stderr(true).max_stdout_buf_size(PIECE);
    let start = async { api.exec(&pod.name, command.iter().copied(), &options).await.map_err(|error| refused(&error)) };
    let mut process = desk.wait(start).await?;
    let (stdin, status) = (process.stdin(), process.take_status());
    let (stdout, stderr) = (AttachedProcess::stdout(&mut process), AttachedProcess::stderr(&mut process));
    let (Some(stdin), Some(stdout), Some(stderr), Some(status)) = (stdin, stdout, stderr, status) else {
        return Err(Trouble::new(Status::Failed, "the command has no streams"));
    };
    // Its input is kept open to the end: closing it would close the connection on older API servers.
    let (_stdin, (), said) = futures::try_join!(
        feed(desk, stdin, input),
        hear(desk, desk.limits.request, stdout, take),
        complaints(desk, stderr)
    )?;
    let ended = desk.wait(async { Ok::<_, Trouble>(status.await) }).await?;
    match ended {
        Some(ended) if ended.status.as_deref() == Some("Success") => Ok(()),
        Some(ended) => {
            let told = ended.message.unwrap_or_else(|| "it failed".to_owned());
            Err(Trouble::new(meaning(&said), [told, said].join(": ").trim_end_matches([':', ' ']).to_owned()))
        }
        None => Err(Trouble::new(Status::Failed, "the connection to the pod broke off")),
    }
}

async fn feed<W: AsyncWrite + Unpin>(desk: &Desk<'_>, mut to: W, input: &str) -> Result<W, Trouble> {
    desk.wait(async {
        to.write_all(input.as_bytes()).await?;
        to.flush().await
    })
    .await?;
    Ok(to)
}

/// Hands on what comes, until it ends or is silent for too long.
async fn hear(
    desk: &Desk<'_>,
    silence: Duration,
    mut from: impl AsyncRead + Unpin,
    mut take: impl FnMut(&[u8]) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    let mut room = vec![0; PIECE];
    loop {
        let length = desk.wait_for(silence, from.read(&mut room)).await?;
        match room.get(..length) {
            Some(piece) if length > 0 => take(piece)?,
            _ => return Ok(()),
        }
    }
}

/// What the command complains about, in one line.
async fn complaints(desk: &Desk<'_>, from: impl AsyncRead + Unpin) -> Result<String, Trouble> {
    let mut said = Vec::new();
    let keep = |piece: &[u8]| {
        let room = COMPLAINTS.saturating_sub(said.len());
        said.extend(piece.iter().take(room));
        Ok(())
    };
    // Nobody complains when all is well.
    hear(desk, desk.limits.total, from, keep).await?;
    Ok(without_tokens(&String::from_utf8_lossy(&said)))
}

/// What psql complains about when it does not get in; it says no SQLSTATE then.
const NOT_LET_IN: &[&str] =
    &["authentication failed", "no password supplied", "no pg_hba.conf entry", "is not permitted to log in"];

fn meaning(complaint: &str) -> Status {
    let is_denied = NOT_LET_IN.iter().any(|words| complaint.contains(words));
    if is_denied { Status::Denied } else { Status::Failed }
}

fn without_tokens(text: &str) -> String {
    let word = |word: &str| if word.len() > LONGEST_WORD { "…" } else { word }.to_owned();
    text.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_password_is_a_denial() {
        let refused =
            "psql: error: connection to server failed: FATAL: password authentication failed for user \"maestro\"";
        assert_eq!(meaning(refused), Status::Denied);
        assert_eq!(meaning("sh: psql: not found"), Status::Failed);
    }

    #[test]
    fn a_complaint_keeps_no_token() {
        let token = "ey".repeat(60);
        let told = without_tokens(&format!("connect.sh: line 2:\n export PGPASSWORD={token}: bad\n"));
        assert_eq!(told, "connect.sh: line 2: export … bad");
    }
}
