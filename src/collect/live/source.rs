//! A running system: one trait, one folder a kind.

use super::desk::Desk;
use crate::model::Right;
use futures::future::LocalBoxFuture;

/// A running system that evidence is read from.
pub trait Source {
    /// What the bundle calls it.
    fn name(&self) -> &str;

    /// Every request and statement that it would send, in their order, as far as they do not depend on answers.
    fn requests(&self) -> Vec<String>;

    /// The rights it needs, and whether it has them.
    fn rights<'a>(&'a self, desk: &'a Desk<'a>) -> LocalBoxFuture<'a, Vec<Right>>;

    /// What an administrator applies to give just these rights.
    fn grants(&self) -> String;

    /// Reads all that it can. What cannot be read is handed in as well, with the reason.
    fn fetch<'a>(&'a self, desk: &'a Desk<'a>) -> LocalBoxFuture<'a, ()>;
}
