//! Values that are read again after a while.

use std::{fmt, hash::Hash, sync::Arc};

use quick_cache::sync::Cache;
use time::{Duration, OffsetDateTime};
use types::Clock;

/// A bounded number of values, each for a time at most. Cheap to clone: clones share the values.
pub struct Aged<K, V> {
    kept: Arc<Cache<K, (OffsetDateTime, V)>>,
    max_age: Duration,
    clock: Clock,
}

impl<K: Eq + Hash, V: Clone> Aged<K, V> {
    /// Keeps at most `most` values for `max_age`, preferably those that are used.
    pub fn new(most: usize, max_age: Duration, clock: Clock) -> Self {
        Self { kept: Arc::new(Cache::new(most)), max_age, clock }
    }

    /// The value, unless it is too old.
    pub fn get(&self, key: &K) -> Option<V> {
        let (at, value) = self.kept.get(key)?;
        // An absolute age, so that after the clock was set back an old value does not count as new.
        ((self.clock.now() - at).abs() < self.max_age).then_some(value)
    }

    /// Keeps a value that was read just now.
    pub fn insert(&self, key: K, value: V) {
        self.kept.insert(key, (self.clock.now(), value));
    }

    /// Drops a value that has changed.
    pub fn remove(&self, key: &K) {
        self.kept.remove(key);
    }
}

impl<K, V> Clone for Aged<K, V> {
    fn clone(&self) -> Self {
        Self { kept: Arc::clone(&self.kept), max_age: self.max_age, clock: self.clock.clone() }
    }
}

/// Leaves out the values, which may be a player's.
impl<K, V> fmt::Debug for Aged<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Aged").field("max_age", &self.max_age).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn a_value_is_kept_for_a_time() {
        let clock = Clock::settable(datetime!(2026-11-27 09:00 UTC));
        let aged = Aged::new(8, Duration::seconds(30), clock.clone());
        aged.insert("name", 1);
        clock.advance(std::time::Duration::from_secs(29));
        assert_eq!(aged.get(&"name"), Some(1));
        clock.advance(std::time::Duration::from_secs(1));
        assert_eq!(aged.get(&"name"), None);
    }

    #[test]
    fn a_value_that_changed_is_dropped() {
        let aged = Aged::new(8, Duration::seconds(30), Clock::system());
        aged.insert("name", 1);
        aged.remove(&"name");
        assert_eq!(aged.get(&"name"), None);
    }
}
