//! The calls in flight to an upstream, and a limit on them that is learnt from the upstream.
//!
//! The gateway sheds a call by this limit before the call costs anything: a refusal by the upstream
//! itself costs nearly what a cheap read does. The limit falls to the number of calls in flight
//! when one was refused as `OVERLOADED`, and grows by an eighth with each `limit` calls that
//! succeed while a quarter of it is used, so that after an overload it is no limit any more within
//! seconds.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use metrics::{Counter, Gauge, counter, gauge};
use proto::Priority;

/// The lowest limit, so that an upstream that refuses everything is tried again.
const LIMIT_MIN: usize = 32;
/// The limit of an upstream that never refused a call.
const LIMIT_MAX: usize = 1_024;

/// The calls in flight to one upstream, on all its replicas.
pub(super) struct Load {
    in_flight: AtomicUsize,
    limit: AtomicUsize,
    /// The successes since the limit last grew.
    successes: AtomicUsize,
    limit_shown: Gauge,
    /// Calls that were shed, by priority: low, normal, high.
    shed: [Counter; 3],
}

/// A call in flight, until dropped.
pub(super) struct InFlight<'a>(&'a Load);

impl Load {
    pub(super) fn new(upstream: &'static str) -> Self {
        let limit_shown = gauge!("rpc_client_limit", "upstream" => upstream);
        limit_shown.set(as_gauge(LIMIT_MAX));
        let shed = ["low", "normal", "high"].map(|priority| {
            counter!("rpc_client_shed_total", "upstream" => upstream, "priority" => priority)
        });
        Self {
            in_flight: AtomicUsize::new(0),
            limit: AtomicUsize::new(LIMIT_MAX),
            successes: AtomicUsize::new(0),
            limit_shown,
            shed,
        }
    }

    pub(super) fn start(&self) -> InFlight<'_> {
        self.in_flight.fetch_add(1, Relaxed);
        InFlight(self)
    }

    /// Whether the upstream is likely to accept a call of this priority; a `false` is
    /// counted as a call that was shed.
    pub(super) fn has_room(&self, priority: Priority) -> bool {
        let room = self.in_flight.load(Relaxed) < share(priority, self.limit.load(Relaxed));
        if !room {
            let [low, normal, high] = &self.shed;
            match priority {
                Priority::Unspecified | Priority::Low => low.increment(1),
                Priority::Normal => normal.increment(1),
                Priority::High => high.increment(1),
            }
        }
        room
    }

    /// Records that the upstream refused a call of this priority as `OVERLOADED`. The call is still
    /// in flight.
    pub(super) fn refused(&self, priority: Priority) {
        let in_flight = self.in_flight.load(Relaxed).saturating_sub(1);
        let seen = match priority {
            Priority::Unspecified | Priority::Low => in_flight * 2,
            Priority::Normal => in_flight * 4 / 3,
            Priority::High => in_flight,
        };
        let limit = seen.clamp(LIMIT_MIN, LIMIT_MAX);
        if self.limit.fetch_min(limit, Relaxed) > limit {
            self.successes.store(0, Relaxed);
            self.limit_shown.set(as_gauge(limit));
        }
    }

    /// Records that the upstream accepted a call.
    pub(super) fn accepted(&self) {
        let limit = self.limit.load(Relaxed);
        if limit >= LIMIT_MAX || self.in_flight.load(Relaxed) < limit / 4 {
            return;
        }
        if self.successes.fetch_add(1, Relaxed) >= limit / 8 {
            self.successes.store(0, Relaxed);
            let grown = self.limit.fetch_add(1, Relaxed) + 1;
            self.limit_shown.set(as_gauge(grown));
        }
    }
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Relaxed);
    }
}

/// The part of the limit that a priority may use, as the upstream divides its own.
fn share(priority: Priority, limit: usize) -> usize {
    match priority {
        Priority::Unspecified | Priority::Low => limit / 2,
        Priority::Normal => limit - limit / 4,
        Priority::High => limit,
    }
}

fn as_gauge(limit: usize) -> f64 {
    f64::from(u32::try_from(limit).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Priority; 3] = [Priority::Low, Priority::Normal, Priority::High];

    /// Whether the upstream is likely to accept each priority with `in_flight` calls in flight.
    fn accepted(load: &Load, in_flight: usize) -> [bool; 3] {
        load.in_flight.store(in_flight, Relaxed);
        ALL.map(|priority| load.has_room(priority))
    }

    #[test]
    fn an_upstream_that_refuses_nothing_has_room() {
        let load = Load::new("svc-test");
        assert_eq!(accepted(&load, 500), [true; 3]);
        let calls: Vec<_> = (0..3).map(|_| load.start()).collect();
        assert_eq!(load.in_flight.load(Relaxed), 503);
        drop(calls);
        assert_eq!(load.in_flight.load(Relaxed), 500);
    }

    #[test]
    fn after_a_refusal_cheap_reads_are_shed_first_and_money_last() {
        for (priority, in_flight) in
            [(Priority::Low, 64), (Priority::Normal, 96), (Priority::High, 128)]
        {
            let load = Load::new("svc-test");
            load.in_flight.store(in_flight + 1, Relaxed);
            load.refused(priority);
            assert_eq!(accepted(&load, 63), [true, true, true], "{priority:?}");
            assert_eq!(accepted(&load, 64), [false, true, true], "{priority:?}");
            assert_eq!(accepted(&load, 96), [false, false, true], "{priority:?}");
            assert_eq!(accepted(&load, 128), [false, false, false], "{priority:?}");
        }
    }

    #[test]
    fn the_limit_grows_while_it_is_nearly_reached_and_calls_succeed() {
        let load = Load::new("svc-test");
        load.in_flight.store(101, Relaxed);
        load.refused(Priority::High);
        for _ in 0..=100 / 8 {
            load.accepted();
        }
        assert_eq!(load.limit.load(Relaxed), 101);
        load.in_flight.store(1, Relaxed);
        for _ in 0..1_000 {
            load.accepted();
        }
        assert_eq!(load.limit.load(Relaxed), 101, "an idle upstream says nothing");
    }

    #[test]
    fn an_upstream_that_refuses_everything_is_tried_again() {
        let load = Load::new("svc-test");
        load.refused(Priority::Low);
        assert_eq!(accepted(&load, LIMIT_MIN / 2 - 1), [true; 3]);
    }
}
