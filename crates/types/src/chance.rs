//! Chance as an argument.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use rand::{Rng, SeedableRng, rngs::StdRng};
use time::OffsetDateTime;
use uuid::Uuid;

/// A source of randomness fit for secrets: `ChaCha` seeded by the operating
/// system, or by a test that wants the same run twice.
///
/// Cheap to clone; clones draw from one stream.
#[derive(Debug, Clone)]
pub struct Chance(Arc<Mutex<StdRng>>);

impl Chance {
    /// Seeded by the operating system.
    pub fn system() -> Self {
        Self::new(rand::make_rng())
    }

    /// Predictable, for tests alone.
    pub fn from_seed(seed: u64) -> Self {
        Self::new(StdRng::seed_from_u64(seed))
    }

    fn new(rng: StdRng) -> Self {
        Self(Arc::new(Mutex::new(rng)))
    }

    /// `N` random bytes.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        // A thread that panicked while drawing leaves a stream as good as any.
        self.0.lock().unwrap_or_else(PoisonError::into_inner).fill_bytes(&mut bytes);
        bytes
    }

    /// A pause of up to `most`, so that many who wait do not all come at once.
    pub fn jitter(&self, most: Duration) -> Duration {
        most * u32::from(self.bytes::<1>()[0]) / 256
    }

    /// An id that sorts by the time given.
    pub fn uuid_v7(&self, at: OffsetDateTime) -> Uuid {
        let millis = u64::try_from(at.unix_timestamp_nanos() / 1_000_000).unwrap_or(0);
        uuid::Builder::from_unix_timestamp_millis(millis, &self.bytes()).into_uuid()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_draws_the_same_bytes() {
        assert_eq!(Chance::from_seed(7).bytes::<16>(), Chance::from_seed(7).bytes::<16>());
    }

    #[test]
    fn clones_share_one_stream_and_never_repeat_it() {
        let chance = Chance::from_seed(7);
        assert_ne!(chance.bytes::<16>(), chance.clone().bytes::<16>());
    }
}
