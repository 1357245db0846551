//! Randomness as an argument.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use rand::{Rng as _, SeedableRng, rngs::StdRng};
use time::OffsetDateTime;
use uuid::Uuid;

/// A random number generator fit for secrets: `ChaCha`, seeded by the operating
/// system, or by a test that needs a repeatable run.
///
/// Cheap to clone; clones share one stream.
#[derive(Debug, Clone)]
pub struct Rng(Arc<Mutex<StdRng>>);

impl Rng {
    /// A generator that is seeded by the operating system.
    pub fn system() -> Self {
        Self::new(rand::make_rng())
    }

    /// A generator with a repeatable stream. For tests only.
    pub fn from_seed(seed: u64) -> Self {
        Self::new(StdRng::seed_from_u64(seed))
    }

    fn new(rng: StdRng) -> Self {
        Self(Arc::new(Mutex::new(rng)))
    }

    /// `N` random bytes.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        // A panic while the lock was held leaves the generator usable.
        self.0.lock().unwrap_or_else(PoisonError::into_inner).fill_bytes(&mut bytes);
        bytes
    }

    /// A random pause below `most`, so that many waiting tasks do not wake together.
    pub fn jitter(&self, most: Duration) -> Duration {
        most * u32::from(self.bytes::<1>()[0]) / 256
    }

    /// A version 7 UUID, which sorts by the time given.
    pub fn uuid_v7(&self, at: OffsetDateTime) -> Uuid {
        let millis = u64::try_from(at.unix_timestamp_nanos() / 1_000_000).unwrap_or(0);
        uuid::Builder::from_unix_timestamp_millis(millis, &self.bytes()).into_uuid()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_bytes() {
        assert_eq!(Rng::from_seed(7).bytes::<16>(), Rng::from_seed(7).bytes::<16>());
    }

    #[test]
    fn clones_share_one_stream_and_never_repeat_it() {
        let rng = Rng::from_seed(7);
        assert_ne!(rng.bytes::<16>(), rng.clone().bytes::<16>());
    }
}
