//! Times as logs and rows write them: found, and written again. All are microseconds.

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, Timelike};

/// Times further than this from the capture are not its own (a certificate's end, the year 1).
const NEAR: i64 = 3_600_000_000;

/// How a time is written: its separators, how many decimals, and what is below a microsecond.
pub struct Written {
    date: u8,
    middle: u8,
    decimals: usize,
    nanos: u32,
}

/// The time of a klog header at the beginning of a line; its year is that of the capture.
pub fn header(text: &str, at: usize, start: i64) -> Option<(i64, usize)> {
    let bytes = text.as_bytes();
    if at == 0 || !b"IWEF".contains(&bytes[at - 1]) || (at > 1 && bytes[at - 2] != b'\n') {
        return None;
    }
    let year = DateTime::from_timestamp_micros(start)?.year();
    let own = NaiveDateTime::parse_from_str(&format!("{year}{}", text.get(at..at + 20)?), "%Y%m%d %H:%M:%S%.6f");
    own.ok().map(|time| (time.and_utc().timestamp_micros(), 20))
}

/// The captured time of a line, if it has a header.
pub fn time_of(line: &str, start: i64) -> Option<i64> {
    header(line, 1, start).map(|(micros, _)| micros)
}

/// `2026-11-16T01:27:03.276Z`, `2026/11/16 01:27:03`: a time within reach of the capture.
pub fn time(bytes: &[u8], start: i64) -> Option<(i64, Written, usize)> {
    let number = |from: usize, to: usize| std::str::from_utf8(bytes.get(from..to)?).ok()?.parse::<u32>().ok();
    let (date, middle) = (*bytes.get(4)?, *bytes.get(10)?);
    let shaped = matches!(date, b'-' | b'/') && bytes[7] == date && matches!(middle, b'T' | b' ');
    if !shaped || bytes.get(13) != Some(&b':') || bytes.get(16) != Some(&b':') {
        return None;
    }
    let day = NaiveDate::from_ymd_opt(i32::try_from(number(0, 4)?).ok()?, number(5, 7)?, number(8, 10)?)?;
    let time = day.and_hms_opt(number(11, 13)?, number(14, 16)?, number(17, 19)?)?.and_utc().timestamp_micros();
    let decimals = match bytes.get(19) {
        Some(b'.') => bytes[20..].iter().take_while(|b| b.is_ascii_digit()).count().min(9),
        _ => 0,
    };
    let digit = |at: usize| {
        if at < decimals { u32::from(bytes[20 + at] - b'0') } else { 0 }
    };
    let nanos = (0..9).fold(0, |sum, at| sum * 10 + digit(at));
    let since = time + i64::from(nanos / 1000) - start;
    let length = if decimals > 0 { 20 + decimals } else { 19 };
    let written = Written { date, middle, decimals, nanos: nanos % 1000 };
    (since.abs() < NEAR).then_some((since, written, length))
}

pub fn put_header(micros: i64, out: &mut Vec<u8>) {
    let time = DateTime::from_timestamp_micros(micros).expect("a time near ours");
    put(time.month(), 2, out);
    put(time.day(), 2, out);
    out.push(b' ');
    put_clock(&time.naive_utc(), out);
    out.push(b'.');
    put(time.nanosecond() / 1000, 6, out);
}

pub fn put_time(micros: i64, written: &Written, out: &mut Vec<u8>) {
    let time = DateTime::from_timestamp_micros(micros).expect("a time near ours");
    put(time.year().unsigned_abs(), 4, out);
    out.push(written.date);
    put(time.month(), 2, out);
    out.push(written.date);
    put(time.day(), 2, out);
    out.push(written.middle);
    put_clock(&time.naive_utc(), out);
    if written.decimals > 0 {
        out.push(b'.');
        let from = out.len();
        put(time.nanosecond() + written.nanos, 9, out);
        out.truncate(from + written.decimals);
    }
}

fn put_clock(time: &NaiveDateTime, out: &mut Vec<u8>) {
    put(time.hour(), 2, out);
    out.push(b':');
    put(time.minute(), 2, out);
    out.push(b':');
    put(time.second(), 2, out);
}

/// A number with leading zeros, without a formatter: this is what most of the time goes into.
fn put(number: u32, digits: u32, out: &mut Vec<u8>) {
    for digit in (0..digits).rev() {
        out.push(b'0' + u8::try_from(number / 10_u32.pow(digit) % 10).unwrap_or_default());
    }
}
