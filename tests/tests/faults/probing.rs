//! Probes every capability four times a second, whether or not earlier calls have been
//! answered.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use journeys::{Mesh, Player};
use tokio::{
    task::JoinSet,
    time::{MissedTickBehavior, interval},
};

use crate::{
    capability::{Capability, live, probe},
    messages::Messages,
    samples::Samples,
    top_ups::TopUps,
};

/// The time between two probes of a capability.
const PERIOD: Duration = Duration::from_millis(250);
/// Ticks between two top-ups: each prompts a phone.
const TOP_UP_EVERY: usize = 4;
/// Ticks between two codes by SMS: each needs a solved captcha.
const CODE_EVERY: usize = 12;

/// A player with a payment that is final, for the probe of the live stream.
#[derive(Clone)]
pub(crate) struct Prober {
    pub(crate) player: Player,
    pub(crate) payment: String,
}

/// Probes that run.
pub(crate) struct Probing {
    pub(crate) samples: Samples,
    stop: Arc<AtomicBool>,
    tasks: JoinSet<(TopUps, Messages)>,
}

impl Probing {
    /// Begins to probe.
    pub(crate) fn start(
        mesh: &Mesh,
        probers: Vec<Prober>,
        top_ups: TopUps,
        messages: Messages,
    ) -> Self {
        let samples = Samples::default();
        let stop = Arc::new(AtomicBool::new(false));
        let mut tasks = JoinSet::new();
        let run = run(mesh.clone(), probers, samples.clone(), stop.clone(), top_ups, messages);
        tasks.spawn(run);
        Self { samples, stop, tasks }
    }

    /// Ends the probes, and waits until every call has been answered.
    pub(crate) async fn stop(mut self) -> (Samples, TopUps, Messages) {
        self.stop.store(true, Ordering::Relaxed);
        let (top_ups, messages) = self.tasks.join_next().await.unwrap().unwrap();
        (self.samples, top_ups, messages)
    }
}

async fn run(
    mesh: Mesh,
    probers: Vec<Prober>,
    samples: Samples,
    stop: Arc<AtomicBool>,
    mut top_ups: TopUps,
    mut messages: Messages,
) -> (TopUps, Messages) {
    let mut calls = JoinSet::new();
    let mut ticks = interval(PERIOD);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for tick in 0.. {
        ticks.tick().await;
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let prober = &probers[tick % probers.len()];
        for capability in Capability::PROBED {
            let (mesh, samples, prober) = (mesh.clone(), samples.clone(), prober.clone());
            calls.spawn(async move {
                let sent = Instant::now();
                let outcome = match capability {
                    Capability::Live => live(&mesh, &prober.player, &prober.payment).await,
                    _ => probe(&mesh, &prober.player, capability).await,
                };
                samples.add(capability, sent, outcome);
            });
        }
        if tick % TOP_UP_EVERY == 0 {
            top_ups.send(&prober.player, &samples);
        }
        if tick % CODE_EVERY == 0 {
            messages.send(&samples);
        }
        while calls.try_join_next().is_some() {}
    }
    while let Some(call) = calls.join_next().await {
        call.unwrap();
    }
    top_ups.answered().await;
    messages.answered().await;
    (top_ups, messages)
}
