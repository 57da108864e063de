//! What `kubectl get` and `kubectl describe` print for people: recognised, kept, and never taken for objects. The
//! columns leave out most of an object, and cut what they show.

use crate::collect::candidate::Candidate;
use crate::collect::error::Result;
use crate::collect::form::{Form, Taken, Taking};
use crate::input::Lines;
use std::io::BufRead;

pub struct ForPeople;

impl Form for ForPeople {
    fn name(&self) -> &'static str {
        "kubectl output for people"
    }

    fn claims(&self, file: &Candidate) -> bool {
        let text = String::from_utf8_lossy(&file.head);
        let mut lines = text.trim_start_matches('\u{feff}').lines().filter(|line| !line.trim().is_empty());
        let Some(first) = lines.next() else { return false };
        is_header(first) || first.starts_with("Name:") && is_description(lines.take(4))
    }

    fn take(&self, file: &Candidate, input: &mut dyn BufRead, taking: &mut Taking<'_>) -> Result<Taken> {
        let mut taken = Taken { whole: false, ..Taken::default() };
        taken.problem("a table for people, not the objects: take it again with -o yaml".to_owned());
        let mut lines = Lines::new(input);
        loop {
            let line = match lines.next() {
                Ok(Some(line)) => line,
                Ok(None) => return Ok(taken),
                Err(error) => {
                    taken.stopped(format!("line {}: {error}", lines.broken()));
                    return Ok(taken);
                }
            };
            let text = String::from_utf8_lossy(line.bytes);
            if !text.trim().is_empty() {
                taken.seen += 1;
                taken.unknown += 1;
                taking.keep(&file.name, Some(line.number as i64), text.trim_end_matches('\r'))?;
            }
        }
    }
}

/// `NAMESPACE   NAME   READY   AGE`, `LAST SEEN   TYPE   REASON   OBJECT   MESSAGE`, `NAME   CREATED AT`.
fn is_header(line: &str) -> bool {
    let cells: Vec<&str> = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
    let capitals = |cell: &&str| cell.chars().all(|letter| !letter.is_lowercase()) && !cell.contains(['|', ':', '=']);
    let begins = cells.first().is_some_and(|cell| matches!(*cell, "NAME" | "NAMESPACE" | "LAST SEEN"));
    let ages = cells.iter().any(|cell| matches!(*cell, "AGE" | "CREATED AT" | "OBJECT"));
    cells.len() > 1 && begins && ages && cells.iter().all(capitals)
}

/// What follows `Name:` in a description.
fn is_description<'a>(lines: impl Iterator<Item = &'a str>) -> bool {
    let known = ["Namespace:", "Labels:", "Annotations:", "API Version:", "Priority:", "Selector:"];
    let mut lines = lines;
    lines.any(|line| known.iter().any(|word| line.starts_with(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims(text: &str) -> bool {
        ForPeople.claims(&Candidate { head: text.into(), ..Candidate::default() })
    }

    #[test]
    fn tables_and_descriptions_are_recognised() {
        for text in [
            "NAME     AGE\nweb-1    6s\n",
            "NAMESPACE   NAME    READY   STATUS    RESTARTS      AGE\nx  y 1/1 Running 0 5d\n",
            "LAST SEEN   TYPE      REASON   OBJECT      MESSAGE\n2m  Normal  Pulled  pod/x  done\n",
            "NAME                 CREATED AT\nappliedmanifestworks.work  2026-01-15T09:45:12Z\n",
            "\nName:         web\nNamespace:    \nLabels:       a=b\n",
        ] {
            assert!(claims(text), "{text}");
        }
    }

    #[test]
    fn other_text_is_not() {
        for text in [
            "",
            "NAME: web\nAGE: 5\n",
            "NAME\nweb\n",
            "name    age\n",
            "CONTAINER ID   IMAGE     COMMAND\n",
            "Name: someone\nplace: here\n",
            "NAME | AGE  | X\n",
            "I0102 15:04:05.000000       1 main.go:12] NAME   AGE\n",
        ] {
            assert!(!claims(text), "{text}");
        }
    }
}
