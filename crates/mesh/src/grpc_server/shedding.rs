//! Sheds calls that a process has no capacity for, before they wait for the database.
//!
//! A queue in front of the pool makes every call late; a limit keeps those that are
//! accepted fast. Cheap reads are shed first and money last: each priority may use only a
//! part of the capacity, and the last part is for the highest alone.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use metrics::{Gauge, counter, gauge};
use proto::Priority;

/// The capacity of a process for calls. Cheap to clone.
#[derive(Clone)]
pub(super) struct Capacity(Arc<Inner>);

struct Inner {
    in_flight: AtomicUsize,
    total: usize,
    /// The metric of `in_flight`.
    gauge: Gauge,
}

/// Capacity for one call; given back when dropped.
pub(super) struct CapacityPermit(Capacity);

impl Capacity {
    /// A capacity for `total` calls at the same time.
    pub(super) fn new(total: usize) -> Self {
        let gauge = gauge!("rpc_server_in_flight");
        Self(Arc::new(Inner { in_flight: AtomicUsize::new(0), total, gauge }))
    }

    /// Takes capacity for a call; `None` when a call of this priority is to be shed.
    pub(super) fn acquire(&self, priority: Priority) -> Option<CapacityPermit> {
        let limit = self.limit(priority);
        let taken = self.0.in_flight.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
            (used < limit).then_some(used + 1)
        });
        if taken.is_ok() {
            self.0.gauge.increment(1.0);
            return Some(CapacityPermit(self.clone()));
        }
        counter!("rpc_server_shed_total", "priority" => label(priority)).increment(1);
        None
    }

    /// Calls in flight up to which this priority is accepted: half, three quarters, all.
    fn limit(&self, priority: Priority) -> usize {
        let total = self.0.total;
        match priority {
            Priority::Unspecified | Priority::Low => (total / 2).max(1),
            Priority::Normal => (total - total / 4).max(1),
            Priority::High => total,
        }
    }
}

impl Drop for CapacityPermit {
    fn drop(&mut self) {
        self.0.0.in_flight.fetch_sub(1, Ordering::Relaxed);
        self.0.0.gauge.decrement(1.0);
    }
}

fn label(priority: Priority) -> &'static str {
    match priority {
        Priority::Unspecified | Priority::Low => "low",
        Priority::Normal => "normal",
        Priority::High => "high",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(capacity: &Capacity, priority: Priority) -> Vec<CapacityPermit> {
        std::iter::from_fn(|| capacity.acquire(priority)).collect()
    }

    #[test]
    fn cheap_reads_are_shed_first_and_money_last() {
        let capacity = Capacity::new(64);
        let low = accepted(&capacity, Priority::Low);
        let normal = accepted(&capacity, Priority::Normal);
        let high = accepted(&capacity, Priority::High);
        assert_eq!((low.len(), normal.len(), high.len()), (32, 16, 16));
        assert!(capacity.acquire(Priority::High).is_none());
    }

    #[test]
    fn capacity_is_given_back() {
        let capacity = Capacity::new(2);
        let permit = capacity.acquire(Priority::Low);
        assert!(capacity.acquire(Priority::Low).is_none());
        drop(permit);
        assert!(capacity.acquire(Priority::Low).is_some());
    }
}
