//! The state of each push service's host. A host that hangs or cannot be reached is given few
//! deliveries at a time, so that the relay, whose deliveries in flight are limited, has room for
//! deliveries to other hosts. Each replica keeps its own state.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use time::OffsetDateTime;

use super::sent::Sent;

/// The most deliveries in flight to one host: half of the relay's limit.
pub(super) const IN_FLIGHT: usize = 16;
/// How long nothing is sent to a host that could not be reached; doubles with each further try
/// that fails.
const FIRST_PAUSE: Duration = Duration::from_secs(5);
/// The longest such pause, and the longest that a delivery is put off.
const LONGEST_PAUSE: Duration = Duration::from_mins(1);
/// How long a delivery is put off when the most are in flight.
const BUSY_PAUSE: Duration = Duration::from_secs(1);
/// The time between two deliveries that were put off: without it thousands would be retried at the
/// same moment, most of them in vain.
const SPACING: Duration = Duration::from_millis(5);
/// The most hosts whose state is kept. A pattern of the allow-list admits any number of names.
const HOSTS_MAX: usize = 256;

/// The hosts that were sent to. Cheap to clone; clones share the state.
#[derive(Clone, Default)]
pub(super) struct Hosts(Arc<Mutex<HashMap<String, Host>>>);

#[derive(Default)]
struct Host {
    in_flight: usize,
    /// Consecutive tries that did not reach the host.
    failures: u32,
    /// Until when nothing is sent, after a failure.
    out_until: Option<OffsetDateTime>,
    /// When the last delivery that was put off is tried again.
    last_put_off: Option<OffsetDateTime>,
}

/// A delivery in flight. Dropped, it makes room for the next one.
pub(super) struct InFlight {
    hosts: Hosts,
    host: String,
}

impl Hosts {
    /// Begins a delivery to a host, or puts it off.
    pub(super) fn begin(&self, host: &str, now: OffsetDateTime) -> Result<InFlight, Sent> {
        let mut hosts = self.lock();
        if hosts.len() >= HOSTS_MAX && !hosts.contains_key(host) {
            // The relay's limit bounds the hosts that stay. A host whose state was dropped is tried
            // again.
            hosts.retain(|_, host| host.in_flight > 0);
        }
        let state = hosts.entry(host.to_owned()).or_default();
        if let Some(until) = state.out_until(now) {
            return Err(Sent::HostOut(state.put_off(now, until)));
        }
        // After a failure one delivery at a time is tried, until the host answers.
        if state.failures > 0 && state.in_flight > 0 {
            return Err(Sent::HostOut(state.put_off(now, now + BUSY_PAUSE)));
        }
        if state.in_flight >= IN_FLIGHT {
            return Err(Sent::HostBusy(state.put_off(now, now + BUSY_PAUSE)));
        }
        state.in_flight += 1;
        drop(hosts);
        Ok(InFlight { hosts: self.clone(), host: host.to_owned() })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Host>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Host {
    /// Until when nothing is sent. A time beyond the longest pause is ignored: the clock was set
    /// back.
    fn out_until(&self, now: OffsetDateTime) -> Option<OffsetDateTime> {
        self.out_until.filter(|until| *until > now && *until - now <= LONGEST_PAUSE)
    }

    /// The pause of a delivery that is tried again at `earliest`, or after the deliveries that were
    /// put off before.
    fn put_off(&mut self, now: OffsetDateTime, earliest: OffsetDateTime) -> Duration {
        let after_the_last = self.last_put_off.map_or(earliest, |last| last + SPACING);
        let at = after_the_last.max(earliest).min(now + LONGEST_PAUSE);
        self.last_put_off = Some(at);
        (at - now).unsigned_abs()
    }
}

impl InFlight {
    /// Records that the host answered, whatever the answer.
    pub(super) fn reached(self) {
        self.change(|host| (host.failures, host.out_until) = (0, None));
    }

    /// Records that the host could not be reached. Deliveries in flight that fail together count
    /// once.
    pub(super) fn not_reached(self, now: OffsetDateTime) {
        self.change(|host| {
            if host.out_until(now).is_none() {
                let doubled = 2_u32.checked_pow(host.failures);
                let pause = doubled.and_then(|factor| FIRST_PAUSE.checked_mul(factor));
                let pause = pause.unwrap_or(LONGEST_PAUSE).min(LONGEST_PAUSE);
                host.out_until = Some(now + pause);
                host.failures = host.failures.saturating_add(1);
            }
        });
    }

    fn change(&self, change: impl FnOnce(&mut Host)) {
        if let Some(host) = self.hosts.lock().get_mut(&self.host) {
            change(host);
        }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.change(|host| host.in_flight = host.in_flight.saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: OffsetDateTime = OffsetDateTime::UNIX_EPOCH;
    const HOST: &str = "fcm.googleapis.com";

    fn refused(hosts: &Hosts, host: &str, now: OffsetDateTime) -> Sent {
        hosts.begin(host, now).err().unwrap()
    }

    #[test]
    fn a_host_has_sixteen_deliveries_at_a_time_and_the_others_come_back_one_after_the_other() {
        let hosts = Hosts::default();
        let mut held: Vec<_> = (0..IN_FLIGHT).map(|_| hosts.begin(HOST, NOW).ok()).collect();
        for number in 0..3 {
            let pause = BUSY_PAUSE + SPACING * number;
            assert_eq!(refused(&hosts, HOST, NOW), Sent::HostBusy(pause));
        }
        assert!(hosts.begin("web.push.apple.com", NOW).is_ok(), "another host has its own");
        for _ in 0..20_000 {
            refused(&hosts, HOST, NOW);
        }
        assert_eq!(refused(&hosts, HOST, NOW), Sent::HostBusy(LONGEST_PAUSE));
        held.pop();
        assert!(hosts.begin(HOST, NOW).is_ok());
    }

    #[test]
    fn a_host_that_is_not_reached_rests_twice_as_long_each_time_up_to_a_minute() {
        let (hosts, mut now) = (Hosts::default(), NOW);
        for seconds in [5, 10, 20, 40, 60, 60] {
            let pause = Duration::from_secs(seconds);
            let probe = hosts.begin(HOST, now).unwrap();
            if seconds > 5 {
                assert!(matches!(refused(&hosts, HOST, now), Sent::HostOut(_)), "by one");
            }
            probe.not_reached(now);
            let until_then = now + pause - Duration::from_millis(1);
            assert!(matches!(refused(&hosts, HOST, until_then), Sent::HostOut(_)));
            now += pause;
        }
        hosts.begin(HOST, now).unwrap().reached();
        let held: Vec<_> = (0..IN_FLIGHT).map(|_| hosts.begin(HOST, now).ok()).collect();
        assert!(held.iter().all(Option::is_some), "it is back");
    }

    #[test]
    fn deliveries_that_fail_together_are_one_failure() {
        let hosts = Hosts::default();
        let held: Vec<_> = (0..IN_FLIGHT).filter_map(|_| hosts.begin(HOST, NOW).ok()).collect();
        for one in held {
            one.not_reached(NOW);
        }
        assert_eq!(refused(&hosts, HOST, NOW), Sent::HostOut(FIRST_PAUSE));
        assert!(hosts.begin(HOST, NOW + FIRST_PAUSE).is_ok());
    }

    #[test]
    fn a_clock_that_is_set_back_keeps_no_host_out() {
        let hosts = Hosts::default();
        hosts.begin(HOST, NOW + Duration::from_hours(1)).unwrap().not_reached(NOW);
        assert!(matches!(refused(&hosts, HOST, NOW), Sent::HostOut(_)));
        assert!(hosts.begin(HOST, NOW - Duration::from_hours(1)).is_ok());
    }

    #[test]
    fn only_so_many_hosts_are_remembered() {
        let hosts = Hosts::default();
        let held = hosts.begin(HOST, NOW).ok();
        for number in 0..10 * HOSTS_MAX {
            hosts
                .begin(&format!("{number}.notify.windows.com"), NOW)
                .ok()
                .unwrap()
                .not_reached(NOW);
        }
        assert!(hosts.lock().len() <= HOSTS_MAX);
        assert_eq!(hosts.lock()[HOST].in_flight, 1);
        drop(held);
        assert_eq!(hosts.lock()[HOST].in_flight, 0);
    }
}
