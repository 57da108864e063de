//! For programs: the model itself, under a name that is a contract.

use super::escape::HarmlessJson;
use super::{Present, Renderer};
use std::io::{self, Write};

pub(super) struct Json;

impl Renderer for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn about(&self) -> &'static str {
        "For programs: a documented, versioned contract"
    }

    fn is_for_programs(&self) -> bool {
        true
    }

    fn write(&self, answer: &dyn Present, _: bool, out: &mut dyn Write) -> io::Result<Option<String>> {
        answer.serialise(&mut HarmlessJson(out))?;
        writeln!(out).map(|()| None)
    }
}
