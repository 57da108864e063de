//! Ids and addresses that are known by their looks alone.

use super::kind::Kind;
use regex::Regex;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::LazyLock;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Uuid,
    Ipv4(Ipv4Addr),
    /// As names of machines have it: `ip-10-0-0-1`.
    Dashed(Ipv4Addr),
    Ipv6(Ipv6Addr),
}

impl Shape {
    pub const fn kind(self) -> Kind {
        match self {
            Self::Uuid => Kind::Ids,
            Self::Ipv4(_) | Self::Dashed(_) | Self::Ipv6(_) => Kind::Ips,
        }
    }
}

const UUID: &str = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";
const NO_UUID: &str = "00000000-0000-0000-0000-000000000000";
const OCTETS: &str = r"\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}";
const DASHED: &str = r"\d{1,3}-\d{1,3}-\d{1,3}-\d{1,3}";

static SHAPES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!("({UUID})|({OCTETS})|ip-({DASHED})|([0-9a-fA-F]{{1,4}}(?::{{1,2}}[0-9a-fA-F]{{1,4}}){{2,7}}(?:::)?|[0-9a-fA-F]{{1,4}}::)")).ok()
});

/// Where they stand, one behind the other.
pub fn find(text: &str, wants: impl Fn(Kind) -> bool) -> Vec<(usize, usize, Shape)> {
    let (ids, ips) = (wants(Kind::Ids), wants(Kind::Ips));
    if !ids && !ips {
        return Vec::new();
    }
    let found = SHAPES.iter().flat_map(|shapes| shapes.captures_iter(text)).filter_map(|captures| {
        let group = |number: usize| captures.get(number);
        let (place, shape) = match (group(1), group(2), group(3), group(4)) {
            (Some(uuid), ..) => (uuid, (uuid.as_str() != NO_UUID).then_some(Shape::Uuid)),
            (_, Some(octets), ..) => (octets, octets.as_str().parse().ok().map(Shape::Ipv4)),
            (_, _, Some(octets), _) => (octets, octets.as_str().replace('-', ".").parse().ok().map(Shape::Dashed)),
            (.., Some(address)) => (address, address.as_str().parse().ok().map(Shape::Ipv6)),
            _ => return None,
        };
        let shape =
            shape.filter(|shape| says_something(*shape) && stands_alone(text, place.start(), place.end(), *shape));
        shape.map(|shape| (place.start(), place.end(), shape))
    });
    found.filter(|(.., shape)| if shape.kind() == Kind::Ids { ids } else { ips }).collect()
}

/// Addresses that every machine has tell nothing of anybody.
fn says_something(shape: Shape) -> bool {
    match shape {
        Shape::Uuid => true,
        Shape::Ipv4(address) | Shape::Dashed(address) => {
            !address.is_loopback() && !address.is_unspecified() && address.octets().first() != Some(&255)
        }
        // Of what else has colons, such as times and names of certificates, nothing begins like this.
        Shape::Ipv6(address) => {
            let first = address.segments().first().copied().unwrap_or_default();
            matches!(first, 0x2000..=0x3fff | 0xfc00..=0xfdff | 0xfe80..=0xfebf)
        }
    }
}

/// Not a part of a longer number, version or name.
fn stands_alone(text: &str, start: usize, end: usize, shape: Shape) -> bool {
    let before = text.get(..start).and_then(|before| before.chars().next_back());
    let mut after = text.get(end..).unwrap_or_default().chars();
    let (next, second) = (after.next(), after.next());
    let in_number = |character: Option<char>| character.is_some_and(|character| character.is_ascii_digit());
    match shape {
        Shape::Uuid => true,
        Shape::Ipv4(_) => {
            let version = before == Some('.') || next == Some('.') && in_number(second);
            !in_number(before) && !in_number(next) && !version
        }
        Shape::Dashed(_) => !in_number(next),
        Shape::Ipv6(_) => {
            let in_word =
                |character: Option<char>| character.is_some_and(|other| other.is_ascii_alphanumeric() || other == '-');
            !in_word(before) && !in_word(next) && before != Some(':') && next != Some(':')
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        find(text, |_| true).into_iter().map(|(start, end, _)| &text[start..end]).collect()
    }

    #[test]
    fn ids_and_addresses_are_known_by_their_looks() {
        for (text, expected) in [
            ("x0b14ee1e-1543-5748-bba9-abb351ceff99y", &["0b14ee1e-1543-5748-bba9-abb351ceff99"][..]),
            ("dial tcp 10.0.0.12:5432, 10.8.0.0/16", &["10.0.0.12", "10.8.0.0"]),
            ("ip-10-0-3-4.ec2.internal", &["10-0-3-4"]),
            ("[fd00:10:96::a]:443 2a02:8109:abc:1:2:3:4:5", &["fd00:10:96::a", "2a02:8109:abc:1:2:3:4:5"]),
            ("at 01:27:01.279 127.0.0.1:80 [::1] 0.0.0.0 255.255.255.0", &[]),
            ("v1.2.3.4.5 1.2.3 999.1.1.1 client-ca::kube serving-cert::/tmp", &[]),
            ("00000000-0000-0000-0000-000000000000", &[]),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }
}
