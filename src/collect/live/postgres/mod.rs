//! Maestro's database, asked directly: one connection, one transaction that cannot write, one copy a table.

mod address;
pub(super) mod catalogue;
pub(super) mod facts;
mod password_file;
pub(super) mod record;
pub(super) mod session;
mod settings;
pub(super) mod statements;
mod tls;

pub use settings::shows_password;

use super::desk::Desk;
use super::source::Source;
use super::trouble::Trouble;
use super::wanted::{Limits, Wanted, Window};
use crate::collect::error::{Error, Result};
use crate::collect::said::Said;
use crate::model::Right;
use catalogue::{TABLES, Table, WINDOWED, refused};
use facts::Server;
use futures::FutureExt;
use futures::future::LocalBoxFuture;
use record::Record;
use session::Session;
use settings::{Settings, Tls};
use statements::{Statement, literal};
use std::cell::OnceCell;

/// Every statement, as the path below `queries/` and the file.
pub fn statements() -> impl Iterator<Item = (&'static str, &'static str)> {
    statements::ALL.iter().map(|statement| (statement.name, statement.file))
}

/// A database at an address.
pub struct Postgres {
    settings: Settings,
    limits: Limits,
    window: Window,
    /// What the server said about itself when its rights were looked at.
    server: OnceCell<Record>,
}

const NAME: &str = "postgres";
/// The step that is about the server itself.
const SERVER: &str = "server";

impl Postgres {
    pub fn at(address: &str, wanted: &Wanted) -> Result<Self> {
        let settings = Settings::of(address, &wanted.environment)
            .map_err(|why| Error::Live { step: "understand --database".to_owned(), source: why.into() })?;
        let (limits, window) = (wanted.limits.clone(), wanted.window.clone());
        Ok(Self { settings, limits, window, server: OnceCell::new() })
    }

    async fn open(&self, desk: &Desk<'_>) -> std::result::Result<Session, Trouble> {
        let opened = Session::open(&self.settings, desk).await;
        opened.map_err(|trouble| match &self.settings.remark {
            Some(remark) => Trouble::new(trouble.status, format!("{}; {remark}", trouble.why)),
            None => trouble,
        })
    }

    async fn read(&self, desk: &Desk<'_>, session: &Session) -> std::result::Result<(), Trouble> {
        let before = desk.now();
        let mut server = Server::of(&session.records(desk, &statements::SERVER).await?)?;
        desk.saw_clock(NAME, server.ahead(before, desk.now()));
        let tables = catalogue::read(session, desk).await?;
        session.run(desk, &statements::SAVEPOINT).await?;
        let mut lost = None;
        for table in &tables {
            if let Some(trouble) = &lost {
                desk.missed(NAME, &table.name, Said::default(), Trouble::clone(trouble));
                continue;
            }
            lost = take(session, desk, table).await.err();
        }
        let mut remarks = server.remarks;
        if lost.is_none() {
            remarks.extend(
                activity(session, desk)
                    .await
                    .unwrap_or_else(|trouble| vec![format!("who is connected could not be read: {}", trouble.why)]),
            );
        }
        desk.told(NAME, SERVER, Said::default(), remarks);
        Ok(())
    }

    async fn check(&self, desk: &Desk<'_>) -> std::result::Result<Vec<Table>, Trouble> {
        let session = self.open(desk).await?;
        let server = session.records(desk, &statements::SERVER).await;
        let tables = catalogue::read(&session, desk).await;
        session.close().await;
        if let Some(server) = server.into_iter().flatten().next() {
            let _ = self.server.set(server);
        }
        tables
    }

    /// Where it connects to; without the password.
    fn place(&self) -> String {
        let config = &self.settings.config;
        let protected = if self.settings.tls == Tls::Off { "without TLS" } else { "with TLS, verified" };
        format!(
            "connect to {}, database {}, as {}, {protected}",
            self.settings.server(),
            config.get_dbname().unwrap_or_default(),
            config.get_user().unwrap_or_default(),
        )
    }
}

/// The statement that copies a table, as far as it is known before the table is.
fn copy(table: &str, window: &Window) -> String {
    let since = window.events_since.filter(|_| WINDOWED.contains(&table));
    let part = since.map(|since| format!(" where created_at >= {} or created_at is null", literal(&since.to_string())));
    statements::COPY.with(&["<its columns>", &format!("<its schema>.{table}{}", part.unwrap_or_default())])
}

async fn activity(session: &Session, desk: &Desk<'_>) -> std::result::Result<Vec<String>, Trouble> {
    let others = session.records(desk, &statements::ACTIVITY).await?;
    let locks = session.records(desk, &statements::ADVISORY_LOCKS).await?;
    Ok(facts::of_activity(&others).into_iter().chain(facts::of_locks(&locks)).collect())
}

/// Copies a table. An error means that the session is of no more use.
async fn take(session: &Session, desk: &Desk<'_>, table: &Table) -> std::result::Result<(), Trouble> {
    let statement = match &table.copy {
        Ok(statement) => statement,
        Err(trouble) => {
            desk.missed(NAME, &table.name, Said::default(), trouble.clone());
            return Ok(());
        }
    };
    let mut spool = match desk.open(NAME, &table.name, Said::default()) {
        Ok(spool) => spool,
        Err(trouble) => {
            desk.missed(NAME, &table.name, Said::default(), trouble);
            return Ok(());
        }
    };
    table.lacks().for_each(|lack| spool.is_a_part(lack));
    let end = session.copy(desk, statement, &mut spool).await;
    let cause = end.clone().err();
    spool.close(end);
    session.give_up_statement().await;
    // What ended this copy is why the others do not come.
    session.run(desk, &statements::BACK).await.map_err(|trouble| cause.unwrap_or(trouble))
}

impl Source for Postgres {
    fn name(&self) -> &str {
        NAME
    }

    fn requests(&self) -> Vec<String> {
        let limits = session::patience(&self.limits).map(|limit| literal(&limit));
        let before = [
            self.place(),
            statements::BEGIN.in_one_line(),
            statements::LIMITS.with(&limits.each_ref().map(String::as_str)),
            statements::SERVER.in_one_line(),
            statements::CATALOGUE.in_one_line(),
            statements::SAVEPOINT.in_one_line(),
        ];
        let copies = TABLES.iter().flat_map(|table| [copy(table, &self.window), statements::BACK.in_one_line()]);
        let after = [&statements::ACTIVITY, &statements::ADVISORY_LOCKS, &statements::ROLLBACK];
        before.into_iter().chain(copies).chain(after.map(Statement::in_one_line)).collect()
    }

    fn rights<'a>(&'a self, desk: &'a Desk<'a>) -> LocalBoxFuture<'a, Vec<Right>> {
        async move {
            let what = "connect to the database".to_owned();
            match self.check(desk).await {
                Err(trouble) => vec![Right { what, granted: refused(&trouble), why: Some(trouble.why) }],
                Ok(tables) => {
                    let connect = Right { what, granted: Some(true), why: None };
                    std::iter::once(connect).chain(tables.iter().map(Table::right)).collect()
                }
            }
        }
        .boxed_local()
    }

    fn grants(&self) -> String {
        let config = &self.settings.config;
        let server = self.server.get();
        let told = |column: &str| server.and_then(|server| server.text(column)).filter(|told| !told.is_empty());
        let schemas = told("schemas").and_then(|schemas| schemas.split(", ").next());
        statements::grants(told("database").or(config.get_dbname()), told("role").or(config.get_user()), schemas)
    }

    fn fetch<'a>(&'a self, desk: &'a Desk<'a>) -> LocalBoxFuture<'a, ()> {
        async move {
            let read = match self.open(desk).await {
                Ok(session) => {
                    let read = self.read(desk, &session).await;
                    session.close().await;
                    read
                }
                Err(trouble) => Err(trouble),
            };
            if let Err(trouble) = read {
                desk.missed(NAME, SERVER, Said::default(), trouble);
            }
        }
        .boxed_local()
    }
}
