//! Makes inputs out of others, by numbers that only look random: a failure comes again.

/// Numbers at which programs make mistakes.
const EDGES: &[u64] = &[0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0xffff_ffff, u64::MAX, u64::MAX / 2];

/// What means something to one reader or another.
const WORDS: &[&[u8]] = &[
    b"\n",
    b"\r\n",
    b"\0",
    b"\t",
    b"\"",
    b"\\",
    b"{",
    b"}",
    b"[[[[[[[[",
    b"]",
    b",",
    b": ",
    b"---\n",
    b"PAR1",
    b"PK\x03\x04",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"-- ",
    b"$x",
    b"null",
    b"1e999",
    b"-1",
    b"99999999999999999999",
    b"\\u0000",
    b"0000-00-00T00:00:00Z",
    b"9999-12-31T23:59:60Z",
    b"\x1b[31m",
    "\u{202e}".as_bytes(),
    b"\xc3",
    b"I1116 ",
    b"&x *x",
];

pub struct Mutator(u64);

impl Mutator {
    pub fn new(name: &str) -> Self {
        Self(
            name.bytes()
                .fold(0x9e37_79b9_7f4a_7c15, |state, byte| (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)),
        )
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        let at = self.below(of.len());
        &of[at]
    }

    /// One of the seeds, changed in a few places.
    pub fn mutate(&mut self, seeds: &[Vec<u8>]) -> Vec<u8> {
        let mut input = self.pick(seeds).clone();
        for _ in 0..=self.below(4) {
            self.change(&mut input, seeds);
        }
        input
    }

    fn change(&mut self, input: &mut Vec<u8>, seeds: &[Vec<u8>]) {
        let at = self.below(input.len());
        let end = (at + 1 + self.below(40)).min(input.len()).max(at);
        match self.below(8) {
            0 if at < input.len() => input[at] ^= 1 << self.below(8),
            1 if at < input.len() => input[at] = self.next() as u8,
            2 => drop(input.drain(at..end)),
            3 => {
                let again = input[at..end].repeat(1 + self.below(20));
                input.splice(at..at, again);
            }
            4 => input.truncate(at),
            5 => {
                let word = *self.pick(WORDS);
                input.splice(at..at, word.iter().copied());
            }
            6 => {
                let (edge, width) = (*self.pick(EDGES), *self.pick(&[1, 2, 4, 8]));
                let bytes = edge.to_le_bytes();
                let fits = width.min(input.len() - at);
                input[at..at + fits].copy_from_slice(&bytes[..fits]);
            }
            _ => {
                let other = self.pick(seeds).clone();
                let from = self.below(other.len());
                input.truncate(at);
                input.extend_from_slice(&other[from..]);
            }
        }
    }
}
