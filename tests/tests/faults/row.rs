//! One row of the table: a fault that begins and ends with a working mesh.

use std::{
    collections::BTreeMap,
    future::Future,
    time::{Duration, Instant},
};

use journeys::{Mesh, Player};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::{
    capability::Capability,
    fault::{Fault, Kind},
    messages::Messages,
    probing::{Prober, Probing},
    samples::{Fare, Samples},
    top_ups::{SHILLINGS, TopUps, Watched},
};

/// The time of probing before the fault.
const BEFORE: Duration = Duration::from_secs(3);
/// The time without a failure after which the mesh has recovered.
const STEADY: Duration = Duration::from_secs(5);
/// The longest that a recovery is waited for.
const RECOVERY_LIMIT: Duration = Duration::from_mins(1);
/// The longest that a recovery may take after a process runs again.
const RECOVERY_PROMISE: Duration = Duration::from_secs(10);
/// Calls to one of two replicas that may be in flight when it fails, and cannot be repeated.
const IN_FLIGHT: usize = 3;
/// How long a call to a provider is in flight.
const IN_FLIGHT_TIME: Duration = Duration::from_secs(1);
/// The longest time until the books agree, which a payment takes whose push was never sent.
const BOOKS_LIMIT: Duration = Duration::from_secs(345);

/// The results of a row.
pub(crate) struct Row {
    pub(crate) fault: Fault,
    /// How each capability fared during the fault.
    pub(crate) fares: BTreeMap<Capability, Fare>,
    /// The time from the end of the fault until everything worked; `None` if that never happened.
    pub(crate) recovery: Option<Duration>,
    pub(crate) top_ups: Vec<Watched>,
    pub(crate) messages: usize,
    /// The violations that the row found.
    pub(crate) problems: Vec<String>,
}

/// The players of the table.
pub(crate) struct Players(Vec<Prober>);

impl Players {
    /// Signs up players, each with a payment that is completed.
    pub(crate) async fn new(mesh: &Mesh, count: usize) -> Self {
        let mut all = Vec::new();
        for _ in 0..count {
            let player = mesh.new_player().await;
            player.set_handset(json!({"stk": "approve"})).await;
            let payment = player.top_up(SHILLINGS).await;
            all.push(Prober { player, payment });
        }
        for Prober { player, payment } in &all {
            player.until_final(payment).await;
        }
        Self(all)
    }

    /// Signs in again, because access tokens are valid for 15 minutes.
    async fn sign_in(&mut self) {
        for prober in &mut self.0 {
            prober.player.sign_in().await;
        }
    }

    fn iter(&self) -> impl Iterator<Item = &Player> {
        self.0.iter().map(|prober| &prober.player)
    }
}

/// Causes a fault, and waits until the mesh has recovered and every payment has ended.
pub(crate) async fn run(mesh: &Mesh, fault: &Fault, players: &mut Players) -> Row {
    players.sign_in().await;
    let top_ups = TopUps::new(mesh).await;
    let messages = Messages::new(mesh).await;
    let probing = Probing::start(mesh, players.0.clone(), top_ups, messages);
    let samples = probing.samples.clone();

    sleep(BEFORE).await;
    let begun = Instant::now();
    let lasting = fault.begin(mesh).await;
    sleep(fault.lasts().saturating_sub(begun.elapsed())).await;
    let ended = Instant::now();
    lasting.end().await;
    let running = Instant::now();
    until_steady(&samples, ended).await;
    let (samples, mut top_ups, messages) = probing.stop().await;

    let mut row = Row {
        fault: fault.clone(),
        fares: samples.fares(begun, ended),
        recovery: recovery(&samples, ended),
        top_ups: top_ups.ended().await,
        messages: 0,
        problems: Vec::new(),
    };
    let lost_by_provider = if fault.stops_providers() {
        begun.checked_sub(IN_FLIGHT_TIME).unwrap_or(begun)..running + IN_FLIGHT_TIME
    } else {
        ended..ended
    };
    match messages.arrived(lost_by_provider).await {
        Ok(count) => row.messages = count,
        Err(problem) => row.problems.push(problem),
    }
    row.check_calls(&samples, begun);
    row.check_money(mesh, players).await;
    row
}

/// Waits until nothing has failed for [`STEADY`], but no longer than [`RECOVERY_LIMIT`].
async fn until_steady(samples: &Samples, ended: Instant) {
    while ended.elapsed() < RECOVERY_LIMIT {
        let last = samples.last_bad(ended).map_or(ended, |(sent, _)| sent);
        if last.elapsed() > STEADY && recovery(samples, ended).is_some() {
            return;
        }
        sleep(Duration::from_millis(250)).await;
    }
}

/// The time from the end of the fault to the first successful call after the last failed one.
fn recovery(samples: &Samples, ended: Instant) -> Option<Duration> {
    match samples.last_bad(ended) {
        None => Some(Duration::ZERO),
        Some((sent, capability)) => Some(samples.first_ok(capability, sent)? - ended),
    }
}

impl Row {
    fn check_calls(&mut self, samples: &Samples, begun: Instant) {
        for ((capability, outcome), count) in samples.failed_before(begun) {
            let (name, told) = (capability.name(), outcome.describe());
            self.problems.push(format!("before the fault, {count} × {name}: {told}"));
        }
        for (capability, fare) in &self.fares {
            let in_flight = self.fault.one_of_many
                && !capability.is_repeatable()
                && fare.calls - fare.ok <= IN_FLIGHT;
            if !fare.works() && !in_flight && !self.fault.may_impair().contains(capability) {
                let name = capability.name();
                self.problems.push(format!("{name} is impaired: {:?}", fare.refusals));
            }
        }
        for (defect, count) in samples.defects() {
            self.problems.push(format!("{count} × {defect}"));
        }
        match self.recovery {
            Some(time) if time <= RECOVERY_PROMISE || self.fault.kind == Kind::Slow => {}
            Some(time) => self.problems.push(format!("recovery took {time:.1?}")),
            None => self.problems.push("it did not recover within a minute".to_owned()),
        }
    }

    /// Checks that every accepted top-up has ended, that the wallets have what the phones paid
    /// according to the sandbox's bank book, and that the ledger's proof holds.
    async fn check_money(&mut self, mesh: &Mesh, players: &Players) {
        for watched in self.top_ups.iter().filter(|watched| watched.end.is_none()) {
            self.problems.push(format!("the stream showed no end of payment {}", watched.payment));
        }
        for player in players.iter() {
            let agree = || async { player.balance().await == player.paid_by_phone().await };
            if !holds_within(BOOKS_LIMIT, agree).await {
                let (wallet, paid) = (player.balance().await, player.paid_by_phone().await);
                let uid = &player.uid;
                self.problems.push(format!("{uid} paid {paid:?} and has {wallet:?}"));
            }
        }
        mesh.prove().await;
    }

    pub(crate) fn json(&self) -> Value {
        let fares = self.fares.iter().map(|(capability, fare)| {
            let refusals = fare.refusals.iter();
            let refusals: Vec<Value> =
                refusals.map(|(o, count)| json!({"told": o.describe(), "count": count})).collect();
            json!({
                "capability": capability.name(),
                "calls": fare.calls,
                "ok": fare.ok,
                "medianMs": u64::try_from(fare.median.as_millis()).unwrap(),
                "refusals": refusals,
            })
        });
        let slowest = self.top_ups.iter().map(|watched| watched.took).max().unwrap_or_default();
        json!({
            "fault": self.fault.name(),
            "capabilities": fares.collect::<Vec<_>>(),
            "recoverySeconds": self.recovery.map(|time| time.as_secs_f32()),
            "topUps": self.top_ups.len(),
            "slowestTopUpSeconds": slowest.as_secs_f32(),
            "streamsReopened": self.top_ups.iter().map(|watched| watched.reopened.len()).sum::<usize>(),
            "codes": self.messages,
            "problems": self.problems,
        })
    }
}

/// Whether a condition comes true within a time.
pub(crate) async fn holds_within<F, Fut>(limit: Duration, condition: F) -> bool
where
    F: Fn() -> Fut,
    Fut: Future<Output = bool>,
{
    let begun = Instant::now();
    while !condition().await {
        if begun.elapsed() > limit {
            return false;
        }
        sleep(Duration::from_millis(250)).await;
    }
    true
}
