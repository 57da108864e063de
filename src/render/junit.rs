//! For pipelines: JUnit's XML, one test case for each thing that was checked.

use super::checks::{Case, Checks, Ended};
use super::escape::for_terminal;
use super::{Present, Renderer};
use std::io::{self, Write};

pub(super) struct Junit;

impl Renderer for Junit {
    fn name(&self) -> &'static str {
        "junit"
    }

    fn about(&self) -> &'static str {
        "For pipelines: JUnit's XML"
    }

    fn is_for_programs(&self) -> bool {
        true
    }

    fn write(&self, answer: &dyn Present, _: bool, out: &mut dyn Write) -> io::Result<Option<String>> {
        write(&answer.checks().unwrap_or_default(), out).map(|()| None)
    }
}

fn write(checks: &Checks, out: &mut dyn Write) -> io::Result<()> {
    let count = |is: fn(&Ended) -> bool| checks.cases.iter().filter(|case| is(&case.ended)).count();
    let failures = count(|ended| matches!(ended, Ended::Failed { .. }));
    let skipped = count(|ended| matches!(ended, Ended::Skipped { .. }));
    let counts = format!("tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\"", checks.cases.len());
    let at = checks.at.as_ref().map(|at| format!(" timestamp=\"{}\"", escape(at))).unwrap_or_default();
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"{}\" {counts}>", escape(&checks.name))?;
    writeln!(out, "  <testsuite name=\"{}\" {counts}{at}>", escape(&checks.of))?;
    checks.cases.iter().try_for_each(|case| write_case(checks, case, out))?;
    writeln!(out, "  </testsuite>\n</testsuites>")
}

fn write_case(checks: &Checks, case: &Case, out: &mut dyn Write) -> io::Result<()> {
    let (class, name) = (escape(&checks.name.replace(' ', ".")), escape(&case.name));
    writeln!(out, "    <testcase classname=\"{class}\" name=\"{name}\">")?;
    match &case.ended {
        Ended::Failed { kind, message } => {
            writeln!(out, "      <failure type=\"{}\" message=\"{}\">", escape(kind), escape(message))?;
            case.lines.iter().try_for_each(|line| writeln!(out, "{}", escape(line)))?;
            writeln!(out, "      </failure>")?;
        }
        Ended::Skipped { message } => writeln!(out, "      <skipped message=\"{}\"/>", escape(message))?,
        Ended::Passed if case.lines.is_empty() => {}
        Ended::Passed => {
            writeln!(out, "      <system-out>")?;
            case.lines.iter().try_for_each(|line| writeln!(out, "{}", escape(line)))?;
            writeln!(out, "      </system-out>")?;
        }
    }
    writeln!(out, "    </testcase>")
}

/// Text of one line, as it may stand in an element or in an attribute.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in for_terminal(text).chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            // No XML may hold these, not even escaped.
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_stranger_end_no_element() {
        assert_eq!(escape("</failure><a b='\"'> & ]]>"), "&lt;/failure&gt;&lt;a b=&apos;&quot;&apos;&gt; &amp; ]]&gt;");
        assert_eq!(escape("one\ntwo\u{0}\u{ffff}"), "one\\ntwo\\u{0}\u{fffd}");
    }
}
