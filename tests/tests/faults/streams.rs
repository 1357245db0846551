//! Many live streams, each on a payment that ends after a while, again and again.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use journeys::{Mesh, Player};
use serde_json::json;
use tokio::{task::JoinSet, time::sleep};

use crate::{
    capability::api,
    top_ups::{SHILLINGS, Watched, watch},
};

/// Streams of one player; the gateway allows ten.
const PER_PLAYER: usize = 8;
/// How long a handset takes to approve a payment.
const APPROVAL: Duration = Duration::from_secs(12);
/// The pause after a refused top-up.
const PAUSE: Duration = Duration::from_millis(500);

/// Streams that are held open.
pub(crate) struct Streams {
    stop: Arc<AtomicBool>,
    players: JoinSet<Shown>,
}

/// The results of the streams.
#[derive(Default)]
pub(crate) struct Shown {
    pub(crate) payments: usize,
    /// Why clients had to open a stream again, and how often.
    pub(crate) reopened: BTreeMap<String, u32>,
    pub(crate) problems: Vec<String>,
}

impl Streams {
    /// Opens `count` streams, of as many players as that takes.
    pub(crate) async fn open(mesh: &Mesh, count: usize) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let mut players = JoinSet::new();
        for first in (0..count).step_by(PER_PLAYER) {
            let player = mesh.new_player().await;
            let approval = u64::try_from(APPROVAL.as_millis()).unwrap();
            player.set_handset(json!({"stk": "approve", "delayMs": approval})).await;
            let streams = PER_PLAYER.min(count - first);
            players.spawn(hold(mesh.clone(), player, streams, stop.clone()));
        }
        Self { stop, players }
    }

    /// Waits until every stream has shown the end of its payment.
    pub(crate) async fn close(mut self) -> Shown {
        self.stop.store(true, Ordering::Relaxed);
        let mut all = Shown::default();
        while let Some(shown) = self.players.join_next().await {
            let shown = shown.unwrap();
            all.payments += shown.payments;
            for (reason, count) in shown.reopened {
                *all.reopened.entry(reason).or_default() += count;
            }
            all.problems.extend(shown.problems);
        }
        all
    }
}

async fn hold(mesh: Mesh, player: Player, streams: usize, stop: Arc<AtomicBool>) -> Shown {
    let body = player.top_up_body(SHILLINGS).await;
    let mut shown = Shown::default();
    while !stop.load(Ordering::Relaxed) {
        let (outcome, payment) = api(player.top_up_call(&mesh.unique_id(), &body)).await;
        let Some(payment) = payment["paymentId"].as_str().map(str::to_owned) else {
            shown.problems.push(format!("a top-up was refused: {}", outcome.describe()));
            sleep(PAUSE).await;
            continue;
        };
        shown.payments += 1;
        let mut watchers = JoinSet::new();
        for _ in 0..streams {
            watchers.spawn(watch(mesh.clone(), player.clone(), payment.clone()));
        }
        while let Some(watched) = watchers.join_next().await {
            let Watched { end, reopened, .. } = watched.unwrap();
            for reason in reopened {
                *shown.reopened.entry(reason).or_default() += 1;
            }
            if end.is_none() {
                shown.problems.push(format!("a stream showed no end of payment {payment}"));
            }
        }
    }
    shown
}
