//! The header of a klog line: what tells it from any other line, cheaply.

use std::ops::{Range, RangeInclusive};

use memchr::{memchr, memrchr};

use crate::logs::Stamp;

/// `Lmmdd hh:mm:ss.uuuuuu ppppppp file.go:LINE] `, and where its parts stand in the line.
pub(super) struct Header {
    pub level: &'static str,
    pub stamp: Stamp,
    pub code: Range<usize>,
    pub body: usize,
}

impl Header {
    pub fn read(line: &[u8]) -> Option<Self> {
        let (
            &[level, m1, m2, d1, d2, b' ', h1, h2, b':', n1, n2, b':', s1, s2, b'.', u1, u2, u3, u4, u5, u6, b' '],
            rest,
        ) = line.split_first_chunk::<22>()?
        else {
            return None;
        };
        let level = match level {
            b'I' => "info",
            b'W' => "warning",
            b'E' => "error",
            b'F' => "fatal",
            _ => return None,
        };
        let (month, day) = (number(m1, m2, 1..=12)?, number(d1, d2, 1..=31)?);
        let (hour, minute, second) = (number(h1, h2, 0..=23)?, number(n1, n2, 0..=59)?, number(s1, s2, 0..=59)?);
        let fraction = [(u1, u2, 10_000), (u3, u4, 100), (u5, u6, 1)];
        let mut micros = (i64::from(hour) * 3600 + i64::from(minute) * 60 + i64::from(second)) * 1_000_000;
        for (tens, ones, unit) in fraction {
            micros += i64::from(number(tens, ones, 0..=99)?) * unit;
        }
        let end = memchr(b']', rest)?;
        let code = memrchr(b' ', rest.get(..end)?)? + 1;
        let pid = rest.get(..code - 1)?.trim_ascii_start();
        let after = rest.get(end + 1);
        let well_formed = !pid.is_empty()
            && pid.iter().all(u8::is_ascii_digit)
            && is_code(rest.get(code..end)?)
            && matches!(after, None | Some(b' ' | b'\r' | b'\n'));
        well_formed.then(|| Header {
            level,
            stamp: Stamp::Yearless { month, day, micros },
            code: code + 22..end + 22,
            body: end + 23 + usize::from(after == Some(&b' ')),
        })
    }
}

/// `file.go:LINE`; the file is `???` where klog could not tell.
fn is_code(code: &[u8]) -> bool {
    let digits = code.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let file = code.len().saturating_sub(digits + 1);
    let one_line = memchr(b'\n', code).is_none();
    file > 0 && digits > 0 && one_line && code.get(file) == Some(&b':')
}

fn number(tens: u8, ones: u8, allowed: RangeInclusive<u8>) -> Option<u8> {
    let digit = |byte: u8| byte.is_ascii_digit().then(|| byte - b'0');
    Some(digit(tens)? * 10 + digit(ones)?).filter(|number| allowed.contains(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_gives_level_time_and_place() {
        let line = "W1231 23:59:59.000001 1234567 pkg/score.go:12] text";
        let header = Header::read(line.as_bytes()).unwrap();
        let micros = 24 * 3600 * 1_000_000 - 999_999;
        let stamp = Stamp::Yearless { month: 12, day: 31, micros };
        assert_eq!((header.level, header.stamp), ("warning", stamp));
        assert_eq!((&line[header.code], &line[header.body..]), ("pkg/score.go:12", "text"));
    }

    #[test]
    fn what_only_resembles_a_header_is_not_one() {
        let odd = [
            "X0102 15:04:05.000006       1 a.go:1] text",
            "I1302 15:04:05.000006       1 a.go:1] text",
            "I0100 15:04:05.000006       1 a.go:1] text",
            "I0102 24:04:05.000006       1 a.go:1] text",
            "I0102 15:04:05.00000        1 a.go:1] text",
            "I0102 15:04:05.000006       x a.go:1] text",
            "I0102 15:04:05.000006         a.go:1] text",
            "I0102 15:04:05.000006       1 a.go:x] text",
            "I0102 15:04:05.000006       1 :1] text",
            "I0102 15:04:05.000006       1 a\nb.go:1] text",
            "I0102 15:04:05.000006       1 a.go:1]text",
            "I0102 15:04:05.000006       1 a.go:1",
            " I0102 15:04:05.000006       1 a.go:1] text",
            "I0102 15:04:05.0000",
            "",
        ];
        for line in odd {
            assert!(Header::read(line.as_bytes()).is_none(), "{line}");
        }
    }
}
