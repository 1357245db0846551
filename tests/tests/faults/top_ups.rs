//! Top-ups during a fault. Each accepted top-up is watched on the live stream to its end.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use journeys::{LiveStream, Mesh, Player, StreamItem};
use proto::{live::v1::live_event::Event, types::v1::PaymentStatus};
use tokio::{
    task::JoinSet,
    time::{sleep, timeout},
};
use tonic::Code;

use crate::{
    capability::{Capability, api},
    samples::Samples,
};

/// A payment whose push was never sent fails after five minutes, with the fifth attempt to
/// reconcile it.
const END_LIMIT: Duration = Duration::from_secs(345);
/// The pause before a stream is opened again doubles from the first to the longest, as in the PWA.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(15);
/// A stream without an event for this long is opened again, as in the PWA.
const IDLE_LIMIT: Duration = Duration::from_secs(40);

/// The amount of each top-up, in whole shillings.
pub(crate) const SHILLINGS: u32 = 10;

/// Sends top-ups and watches them.
pub(crate) struct TopUps {
    mesh: Mesh,
    method: String,
    calls: JoinSet<()>,
    accepted: Arc<Mutex<Vec<(Player, String)>>>,
    watchers: Arc<Mutex<JoinSet<Watched>>>,
}

/// A payment as the live stream showed it.
#[derive(Debug, Clone)]
pub(crate) struct Watched {
    pub(crate) payment: String,
    /// The final status; `None` when the stream showed none in time.
    pub(crate) end: Option<PaymentStatus>,
    /// The time from the payment's acceptance to its end.
    pub(crate) took: Duration,
    /// The reasons for which the payment's stream was opened again.
    pub(crate) reopened: Vec<String>,
}

impl TopUps {
    pub(crate) async fn new(mesh: &Mesh) -> Self {
        Self {
            mesh: mesh.clone(),
            method: mesh.method("MPESA").await,
            calls: JoinSet::new(),
            accepted: Arc::default(),
            watchers: Arc::default(),
        }
    }

    /// Sends a top-up, whose reply is awaited in the background.
    pub(crate) fn send(&mut self, player: &Player, samples: &Samples) {
        let body = serde_json::json!({
            "paymentMethodId": self.method,
            "amount": SHILLINGS,
            "mpesaPhoneNumber": player.phone,
        });
        let (mesh, player, samples) = (self.mesh.clone(), player.clone(), samples.clone());
        let (accepted, watchers) = (self.accepted.clone(), self.watchers.clone());
        self.calls.spawn(async move {
            let sent = Instant::now();
            let (outcome, payment) = api(player.top_up_call(&mesh.unique_id(), &body)).await;
            samples.add(Capability::TopUp, sent, outcome.clone());
            if outcome.is_ok() {
                let id = payment["paymentId"].as_str().unwrap().to_owned();
                watchers.lock().unwrap().spawn(watch(mesh, player.clone(), id.clone()));
                accepted.lock().unwrap().push((player, id));
            }
        });
    }

    /// Waits until each top-up has been answered.
    pub(crate) async fn answered(&mut self) {
        while let Some(call) = self.calls.join_next().await {
            call.unwrap();
        }
    }

    /// Waits until the live stream has shown the end of each accepted top-up.
    pub(crate) async fn ended(&mut self) -> Vec<Watched> {
        let mut watchers = std::mem::take(&mut *self.watchers.lock().unwrap());
        let mut all = Vec::new();
        while let Some(watched) = watchers.join_next().await {
            all.push(watched.unwrap());
        }
        all
    }
}

/// Watches a payment to its end as the PWA does, which opens a broken stream again.
pub(crate) async fn watch(mesh: Mesh, player: Player, payment: String) -> Watched {
    let begun = Instant::now();
    let mut reopened = Vec::new();
    let shown = timeout(END_LIMIT, async {
        let mut failures = 0;
        loop {
            match watch_once(&mesh, &player, &payment, &mut failures).await {
                Ok(status) => return status,
                Err(reason) => reopened.push(reason),
            }
            let pause = (FIRST_PAUSE * 2_u32.saturating_pow(failures)).min(LONGEST_PAUSE);
            failures += 1;
            sleep(pause * 3 / 4).await;
        }
    });
    let end = shown.await.ok();
    Watched { payment, end, took: begun.elapsed(), reopened }
}

/// Returns the final status that a stream shows, or how the stream ended without one.
async fn watch_once(
    mesh: &Mesh,
    player: &Player,
    payment: &str,
    failures: &mut u32,
) -> Result<PaymentStatus, String> {
    let idle = |_| "no event in 40 s".to_owned();
    let call = LiveStream::call(mesh, &[payment]).bearer_auth(&player.access_token);
    let opened = timeout(IDLE_LIMIT, LiveStream::attempt(call)).await.map_err(idle)?;
    let mut stream = opened.map_err(|end| format!("{end:?} instead of Hello"))?;
    let mut status = None;
    loop {
        match timeout(IDLE_LIMIT, stream.next()).await.map_err(idle)? {
            StreamItem::Event(Event::Payment(update)) => {
                *failures = 0;
                let is_final =
                    matches!(update.status(), PaymentStatus::Completed | PaymentStatus::Error);
                status = is_final.then(|| update.status());
            }
            StreamItem::Event(_) => *failures = 0,
            // The stream ends with OK when all of its payments are final.
            StreamItem::End(Code::Ok) => {
                return status.ok_or("OK without a final status".to_owned());
            }
            end => return Err(format!("{end:?}")),
        }
    }
}
