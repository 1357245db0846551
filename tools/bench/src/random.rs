//! Reproducible random numbers: every run draws the same players in the same order.

/// The `SplitMix64` generator (Steele, Lea and Flood, 2014).
#[derive(Debug, Clone)]
pub(crate) struct SplitMix64(u64);

impl SplitMix64 {
    /// A generator whose sequence depends on `seed` alone.
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 uniform bits.
    pub(crate) const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A uniform number below `bound`; 0 when `bound` is 0.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        // The high half of the product scales 64 bits down to the range without a division.
        let product = u128::from(self.bits()) * u128::from(bound);
        u64::try_from(product >> 64).unwrap_or_default()
    }

    /// Ten uniform bytes: the random part of a `UUIDv7`.
    pub(crate) fn bytes(&mut self) -> [u8; 10] {
        let words = [self.bits().to_be_bytes(), self.bits().to_be_bytes()];
        let mut bytes = [0; 10];
        for (byte, drawn) in bytes.iter_mut().zip(words.as_flattened()) {
            *byte = *drawn;
        }
        bytes
    }
}

/// A Zipf distribution with exponent 1: rank `k`, counted from 0, is drawn in
/// proportion to `1 / (k + 1)`.
#[derive(Debug)]
pub(crate) struct Zipf {
    /// The sum of the weights up to and including each rank.
    cumulative: Vec<u64>,
}

impl Zipf {
    /// The weight of rank 0; large enough that the weight of rank five million is not 0.
    const UNIT: u64 = 1 << 32;

    /// A distribution over `count` ranks.
    pub(crate) fn new(count: u32) -> Self {
        let mut total = 0;
        let cumulative = (1..=u64::from(count)).map(|divisor| {
            total += Self::UNIT / divisor;
            total
        });
        Self { cumulative: cumulative.collect() }
    }

    /// Draws a rank by binary search in the cumulative weights.
    pub(crate) fn rank(&self, random: &mut SplitMix64) -> u32 {
        let total = self.cumulative.last().copied().unwrap_or_default();
        let point = random.below(total);
        let rank = self.cumulative.partition_point(|upper| *upper <= point);
        u32::try_from(rank).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_matches_the_published_sequence() {
        let mut random = SplitMix64::new(1_234_567);
        assert_eq!(random.bits(), 6_457_827_717_110_365_317);
        assert_eq!(random.bits(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn numbers_stay_below_their_bound_and_reach_all_of_it() {
        let mut random = SplitMix64::new(1);
        let mut seen = [false; 7];
        (0..1_000).for_each(|_| seen[usize::try_from(random.below(7)).unwrap()] = true);
        assert_eq!(seen, [true; 7]);
        assert_eq!(random.below(0), 0);
    }

    #[test]
    fn the_first_rank_is_drawn_twice_as_often_as_the_second() {
        let zipf = Zipf::new(1_000);
        let mut random = SplitMix64::new(7);
        let mut counts = vec![0_u32; 1_000];
        for _ in 0..100_000 {
            counts[usize::try_from(zipf.rank(&mut random)).unwrap()] += 1;
        }
        // The harmonic number of 1,000 is 7.49: rank 0 has 13.4 % of all draws.
        assert!((13_000..=13_700).contains(&counts[0]), "{}", counts[0]);
        assert!((6_400..=7_000).contains(&counts[1]), "{}", counts[1]);
        assert!(counts[999] < 60, "{}", counts[999]);
    }

    #[test]
    fn a_distribution_of_one_rank_draws_that_rank() {
        assert_eq!(Zipf::new(1).rank(&mut SplitMix64::new(3)), 0);
    }
}
