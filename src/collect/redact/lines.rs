//! Lines of a text, also of one that is quoted, where a line break stands as `\n`.

/// The end of the line that goes on at `from`: before a line break, written or quoted, or before the quote that the text
/// stands in.
pub fn end(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\n' | b'\r' => break,
            b'\\' => {
                let rest = bytes.get(at..).unwrap_or_default();
                let backslashes = rest.iter().take_while(|byte| **byte == b'\\').count();
                if matches!(rest.get(backslashes), Some(b'n' | b'r' | b'"')) {
                    break;
                }
                at += backslashes;
            }
            _ => at += 1,
        }
    }
    at
}

/// What follows the line break at `at`; `None` where no line follows.
pub fn next(text: &str, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = at;
    let mut broken = false;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let backslashes = rest.iter().take_while(|byte| **byte == b'\\').count();
        match (backslashes, rest.get(backslashes)?) {
            (0, b'\n') | (1.., b'n') if !broken => {
                broken = true;
                at += backslashes + 1;
            }
            (0, b'\r') | (1.., b'r') if !broken => at += backslashes + 1,
            _ => return broken.then_some(at),
        }
    }
}

/// Where the line begins in which `at` stands.
pub fn start(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes().get(..at).unwrap_or_default();
    let mut place = at;
    while place > 0 {
        let byte = bytes.get(place - 1).copied().unwrap_or_default();
        let before = place.checked_sub(2).and_then(|before| bytes.get(before)).copied();
        if matches!(byte, b'\n' | b'\r') || matches!(byte, b'n' | b'r') && before == Some(b'\\') {
            break;
        }
        place -= 1;
    }
    place
}

/// How far the line that begins at `start` is indented; a dash of a list counts.
pub fn indent(text: &str, start: usize) -> usize {
    let rest = text.as_bytes().get(start..).unwrap_or_default();
    rest.iter().take_while(|byte| matches!(byte, b' ' | b'-' | b'\t')).count()
}

/// The lines after `at` that are indented further than `indent`, each without its indentation. Empty lines belong to
/// them.
pub fn block(text: &str, at: usize, deeper_than: usize) -> Vec<(usize, usize)> {
    let mut lines = Vec::new();
    let mut after = next(text, at);
    while let Some(start) = after {
        let stop = end(text, start);
        let line = text.as_bytes().get(start..stop).unwrap_or_default();
        let blank = line.trim_ascii().is_empty();
        let indent = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        if !blank && indent <= deeper_than {
            break;
        }
        if !blank {
            lines.push((start + indent, stop));
        }
        after = next(text, stop);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_in_plain_and_in_quoted_text() {
        for text in
            ["a: 1\n  b: 2\n\n  c: 3\nd: 4", r"a: 1\n  b: 2\n\n  c: 3\nd: 4", r"a: 1\\n  b: 2\\n\\n  c: 3\\nd: 4"]
        {
            let first = end(text, 0);
            assert_eq!(&text[..first], "a: 1");
            let inside: Vec<&str> = block(text, first, 0).into_iter().map(|(start, end)| &text[start..end]).collect();
            assert_eq!(inside, ["b: 2", "c: 3"], "{text}");
            let last = text.find('d').unwrap();
            assert_eq!((start(text, last + 2), next(text, text.len())), (last, None));
        }
    }
}
