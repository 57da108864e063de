//! One connection with one transaction that reads and cannot write.

use super::record::Record;
use super::settings::Settings;
use super::statements::{self, Statement};
use super::tls;
use crate::collect::live::desk::{Desk, Spool};
use crate::collect::live::trouble::Trouble;
use crate::collect::live::wanted::Limits;
use crate::collect::outcome::Status;
use futures::StreamExt;
use std::cell::Cell;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Row, SimpleQueryMessage, SimpleQueryRow};
use tokio_postgres_rustls::MakeRustlsConnect;

/// What ending a session may take: it is done even when nothing more is to be read.
const FAREWELL: Duration = Duration::from_secs(3);
/// Nobody who holds a lock this long lets go soon.
const LOCK_PATIENCE: Duration = Duration::from_secs(10);

/// What PostgreSQL takes as a time limit at the most: 24 days.
const LONGEST_MILLISECONDS: u128 = i32::MAX as u128;

pub struct Session {
    client: Client,
    driver: JoinHandle<()>,
    tls: MakeRustlsConnect,
    /// What the server said when it closed the connection.
    last_words: LastWords,
    /// A statement was sent and its end has not come.
    is_busy: Cell<bool>,
}

type LastWords = Arc<Mutex<Option<Trouble>>>;

impl Session {
    /// Connects, and begins the transaction before anything else.
    pub async fn open(settings: &Settings, desk: &Desk<'_>) -> Result<Self, Trouble> {
        let tls = tls::connector(&settings.tls).map_err(|error| Trouble::of(Status::Failed, error.as_ref()))?;
        let (client, connection) =
            desk.wait(settings.config.connect(tls.clone())).await.map_err(|trouble| not_let_in(settings, trouble))?;
        let last_words = LastWords::default();
        let hears = last_words.clone();
        let driver = tokio::spawn(async move {
            if let Err(error) = connection.await {
                *hears.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.into());
            }
        });
        let session = Self { client, driver, tls, last_words, is_busy: Cell::new(false) };
        match session.begin(desk).await {
            Ok(()) => Ok(session),
            Err(trouble) => {
                session.close().await;
                Err(trouble)
            }
        }
    }

    async fn begin(&self, desk: &Desk<'_>) -> Result<(), Trouble> {
        self.run(desk, &statements::BEGIN).await?;
        let [statement, lock, idle] = patience(desk.limits);
        self.query(desk, &statements::LIMITS, &[&statement, &lock, &idle]).await?;
        Ok(())
    }

    /// Runs a statement without an answer.
    pub async fn run(&self, desk: &Desk<'_>, statement: &Statement) -> Result<(), Trouble> {
        self.ask(desk, self.client.batch_execute(statement.sql())).await
    }

    pub async fn query(
        &self,
        desk: &Desk<'_>,
        statement: &Statement,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, Trouble> {
        self.ask(desk, self.client.query(statement.sql(), parameters)).await
    }

    /// The rows of a statement without parameters, as text.
    pub async fn records(&self, desk: &Desk<'_>, statement: &Statement) -> Result<Vec<Record>, Trouble> {
        let messages = self.ask(desk, self.client.simple_query(statement.sql())).await?;
        let rows = messages.iter().filter_map(|message| match message {
            SimpleQueryMessage::Row(row) => Some(row),
            _ => None,
        });
        let cell = |row: &SimpleQueryRow, index: usize, name: &str| Some((name.to_owned(), row.get(index)?.to_owned()));
        let record = |row: &SimpleQueryRow| {
            let names = row.columns().iter().enumerate();
            names.filter_map(|(index, column)| cell(row, index, column.name())).collect()
        };
        Ok(rows.map(record).collect())
    }

    /// Writes the rows of a `copy … to stdout` into a spool, as they come.
    pub async fn copy(&self, desk: &Desk<'_>, statement: &str, spool: &mut Spool<'_>) -> Result<(), Trouble> {
        let rows = self.ask(desk, self.client.copy_out(statement)).await?;
        tokio::pin!(rows);
        self.is_busy.set(true);
        // The server sends the heading and then each row as a piece of its own.
        let mut is_row = false;
        loop {
            let next = async { rows.next().await.transpose() };
            let Some(piece) = self.ask(desk, next).await? else { return Ok(()) };
            self.is_busy.set(true);
            spool.write(&piece)?;
            spool.count(u64::from(std::mem::replace(&mut is_row, true)));
        }
    }

    async fn ask<T>(
        &self,
        desk: &Desk<'_>,
        answer: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, Trouble> {
        self.is_busy.set(true);
        let answered = async {
            let answer = answer.await;
            self.is_busy.set(false);
            answer.map_err(|error| self.explain(error))
        };
        desk.wait(answered).await
    }

    /// A connection that is closed was closed by somebody, who may have said why.
    fn explain(&self, error: tokio_postgres::Error) -> Trouble {
        let said = self.last_words.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if error.is_closed() { said.unwrap_or_else(|| error.into()) } else { error.into() }
    }

    /// Makes the server stop a statement that nobody waits for any more.
    pub async fn give_up_statement(&self) {
        if self.is_busy.replace(false) {
            let _ = timeout(FAREWELL, self.client.cancel_token().cancel_query(self.tls.clone())).await;
        }
    }

    /// Ends the transaction and the connection, also when time is up.
    pub async fn close(self) {
        self.give_up_statement().await;
        let _ = timeout(FAREWELL, self.client.batch_execute(statements::ROLLBACK.sql())).await;
        drop(self.client);
        let _ = timeout(FAREWELL, self.driver).await;
    }
}

/// How the driver says that the server wants a password.
const NO_PASSWORD: &str = "password missing";

/// Why there is no connection, and to where: the address may have come from a variable.
fn not_let_in(settings: &Settings, trouble: Trouble) -> Trouble {
    let Trouble { status, why } = trouble;
    let (status, why) = if why.contains(NO_PASSWORD) {
        (Status::Denied, "it asks for a password, and there is none in PGPASSWORD or the password file".to_owned())
    } else {
        (status, why)
    };
    Trouble::new(status, format!("{}: {why}", settings.server()))
}

/// How long the server bears with a statement, a lock and a silence of ours.
pub fn patience(limits: &Limits) -> [String; 3] {
    // The server should say what is wrong before we give up on it.
    let lock = LOCK_PATIENCE.min(limits.request / 2);
    let milliseconds = |limit: Duration| limit.as_millis().clamp(1, LONGEST_MILLISECONDS);
    // We tell it to stop when time is up; it ends by itself what nobody tells it about.
    let statement = limits.total.saturating_add(FAREWELL);
    [statement, lock, limits.request.max(FAREWELL)].map(|limit| format!("{}ms", milliseconds(limit)))
}

impl From<tokio_postgres::Error> for Trouble {
    fn from(error: tokio_postgres::Error) -> Self {
        let Some(said) = error.as_db_error() else {
            let timed_out = std::error::Error::source(&error)
                .and_then(|cause| cause.downcast_ref::<std::io::Error>())
                .is_some_and(|cause| cause.kind() == std::io::ErrorKind::TimedOut);
            return Self::of(if timed_out { Status::TimedOut } else { Status::Failed }, &error);
        };
        let code = said.code().code();
        let more = [said.detail(), said.hint()].into_iter().flatten().map(|more| format!("; {more}"));
        let why = format!("{}: {} (SQLSTATE {code}){}", said.severity(), said.message(), more.collect::<String>());
        Self::new(status(code), why.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

/// What an error of PostgreSQL means for a step.
pub fn status(code: &str) -> Status {
    match code {
        // No right to it, or not let in.
        "42501" | "28000" | "28P01" => Status::Denied,
        // No such table, schema or database.
        "42P01" | "3F000" | "3D000" => Status::NotFound,
        // A lock that is not given, a statement that takes too long, a transaction that is idle for too long.
        "55P03" | "57014" | "25P03" => Status::TimedOut,
        _ => Status::Failed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_limit_is_longer_than_the_server_takes() {
        let month = Duration::from_secs(30 * 86_400);
        let limits = Limits { total: month, request: month, ..Limits::default() };
        assert_eq!(patience(&limits), ["2147483647ms", "10000ms", "2147483647ms"]);
        assert_eq!(patience(&Limits::default()), ["1803000ms", "10000ms", "60000ms"]);
    }
}
