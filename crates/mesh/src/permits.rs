//! Limits on concurrency: in total, and for each key.

use std::{
    collections::HashMap,
    fmt,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use metrics::{Gauge, gauge};

/// Permits for connections, calls, uploads or streams; a key is a player or a client
/// network. Cheap to clone; clones share the limit.
pub struct KeyedPermits<K>(Arc<Shared<K>>);

struct Shared<K> {
    total: usize,
    per_key: usize,
    gauge_name: &'static str,
    /// Resolved at first use, because the recorder is installed after some limits are made.
    gauge: OnceLock<Gauge>,
    held: Mutex<Held<K>>,
}

struct Held<K> {
    total: usize,
    by_key: HashMap<K, usize>,
}

/// Why there is no permit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitReached {
    /// All permits are held.
    Total,
    /// All permits of this key are held.
    Key,
}

impl LimitReached {
    /// The value of the metrics' label `reason`.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Total => "global_limit",
            Self::Key => "per_client_limit",
        }
    }
}

/// A permit, released when dropped.
pub struct KeyedPermit<K: Eq + Hash> {
    permits: KeyedPermits<K>,
    key: Option<K>,
}

impl<K> Clone for KeyedPermits<K> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K> fmt::Debug for KeyedPermits<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shared { gauge_name, total, per_key, .. } = &*self.0;
        write!(f, "KeyedPermits({gauge_name}: {total} in total, {per_key} for each key)")
    }
}

impl<K: Eq + Hash + Clone> KeyedPermits<K> {
    /// `total` permits, of which one key may hold `per_key`. The gauge shows how many are
    /// held.
    pub fn new(gauge_name: &'static str, total: usize, per_key: usize) -> Self {
        let held = Mutex::new(Held { total: 0, by_key: HashMap::new() });
        Self(Arc::new(Shared { total, per_key, gauge_name, gauge: OnceLock::new(), held }))
    }

    /// Takes a permit. Without a key only the total is limited.
    pub fn acquire(&self, key: Option<K>) -> Result<KeyedPermit<K>, LimitReached> {
        let mut held = self.0.lock();
        let own = key.as_ref().and_then(|key| held.by_key.get(key)).copied().unwrap_or(0);
        if key.is_some() && own >= self.0.per_key {
            return Err(LimitReached::Key);
        }
        if held.total >= self.0.total {
            return Err(LimitReached::Total);
        }
        held.total += 1;
        if let Some(key) = &key {
            held.by_key.insert(key.clone(), own + 1);
        }
        drop(held);
        self.0.gauge().increment(1);
        Ok(KeyedPermit { permits: self.clone(), key })
    }

    /// How many permits there are.
    pub fn total(&self) -> usize {
        self.0.total
    }

    /// How many permits are held.
    pub fn held(&self) -> usize {
        self.0.lock().total
    }
}

impl<K> Shared<K> {
    fn gauge(&self) -> &Gauge {
        self.gauge.get_or_init(|| gauge!(self.gauge_name))
    }

    fn lock(&self) -> MutexGuard<'_, Held<K>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Eq + Hash> Drop for KeyedPermit<K> {
    fn drop(&mut self) {
        let shared = &*self.permits.0;
        let mut held = shared.lock();
        held.total = held.total.saturating_sub(1);
        if let Some(key) = &self.key {
            match held.by_key.get_mut(key) {
                Some(own) if *own > 1 => *own -= 1,
                _ => {
                    held.by_key.remove(key);
                }
            }
        }
        drop(held);
        shared.gauge().decrement(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permits(total: usize, per_key: usize) -> KeyedPermits<&'static str> {
        KeyedPermits::new("test_permits", total, per_key)
    }

    #[test]
    fn a_key_holds_no_more_than_its_own_limit() {
        let permits = permits(10, 2);
        let first = permits.acquire(Some("a")).ok();
        let second = permits.acquire(Some("a")).ok();
        assert!(first.is_some() && second.is_some());
        assert_eq!(permits.acquire(Some("a")).err(), Some(LimitReached::Key));
        assert!(permits.acquire(Some("b")).is_ok());
        drop(first);
        assert!(permits.acquire(Some("a")).is_ok());
    }

    #[test]
    fn all_keys_together_hold_no_more_than_the_total() {
        let permits = permits(2, 2);
        let held = ["a", "b"].map(|key| permits.acquire(Some(key)).unwrap());
        assert_eq!(permits.acquire(Some("c")).err(), Some(LimitReached::Total));
        assert_eq!(permits.acquire(None).err(), Some(LimitReached::Total));
        drop(held);
        assert_eq!(permits.held(), 0);
        assert!(permits.0.lock().by_key.is_empty());
    }

    #[test]
    fn without_a_key_only_the_total_is_limited() {
        let permits = permits(3, 1);
        let held: Vec<_> = (0..4).filter_map(|_| permits.acquire(None).ok()).collect();
        assert_eq!(held.len(), 3);
    }
}
