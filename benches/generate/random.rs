//! Numbers and ids that look random and are the same every time.

/// `splitmix64`: small, fast, and the same everywhere.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// 0 to `limit - 1`.
    pub fn below(&mut self, limit: u64) -> i64 {
        i64::try_from(self.next() % limit).expect("limits are small")
    }

    pub fn uuid(&mut self) -> String {
        let bits = (u128::from(self.next()) << 64) | u128::from(self.next());
        uuid::Builder::from_random_bytes(bits.to_be_bytes()).into_uuid().to_string()
    }

    /// 32 hexadecimal digits.
    pub fn hex(&mut self) -> String {
        format!("{:016x}{:016x}", self.next(), self.next())
    }
}
