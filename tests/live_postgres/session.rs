//! Somebody else who works with the database at the same time.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use crate::support::postgres::Postgres;

/// A session of the superuser that stays open until it is dropped.
pub struct Session(Child);

impl Session {
    /// Runs statements, and leaves the session as it is then.
    pub fn begin(postgres: &Postgres, sql: &str) -> Self {
        let mut psql = Command::new("psql");
        psql.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-U", "postgres", "-d", "maestro", "-h"]);
        psql.arg(postgres.socket_folder()).arg("-p").arg(postgres.port().to_string());
        let mut child = psql.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let stdin = child.stdin.as_mut().unwrap();
        writeln!(stdin, "{sql}\n\\echo done").unwrap();
        stdin.flush().unwrap();
        let said = BufReader::new(child.stdout.as_mut().unwrap()).lines();
        let done = said.map(Result::unwrap).any(|line| line == "done");
        assert!(done, "{sql} failed");
        Self(child)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}
