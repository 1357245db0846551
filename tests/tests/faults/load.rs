//! A steady load: a request every few milliseconds, whether or not earlier ones have been
//! answered.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use journeys::{Mesh, Player};
use reqwest::{Method, RequestBuilder};
use serde_json::json;
use tokio::{
    task::JoinSet,
    time::{MissedTickBehavior, interval},
};

use crate::capability::api;

/// Players who make the requests.
const PLAYERS: usize = 20;
/// Each player's balance at the beginning, in whole shillings.
const OPENING: u32 = 5_000;

/// A load that runs.
pub(crate) struct Load {
    stop: Arc<AtomicBool>,
    task: JoinSet<Tally>,
}

/// The outcomes of the requests.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) count: usize,
    /// The number of failures by request and outcome.
    pub(crate) failures: BTreeMap<String, u64>,
    /// The times to the replies, sorted.
    times: Vec<Duration>,
}

impl Tally {
    /// The time within which this percentage of the requests were answered, in milliseconds.
    pub(crate) fn percentile(&self, percent: usize) -> u64 {
        let last = self.times.len().saturating_sub(1);
        let time = self.times.get(last * percent / 100).copied().unwrap_or_default();
        u64::try_from(time.as_millis()).unwrap()
    }
}

impl Load {
    /// Signs up players with money, and begins the load.
    pub(crate) async fn start(mesh: &Mesh, rate: u32) -> Self {
        let mut players = Vec::new();
        for _ in 0..PLAYERS {
            let player = mesh.new_player().await;
            player.set_handset(json!({"stk": "approve"})).await;
            let payment = player.top_up(OPENING).await;
            players.push((player, payment));
        }
        for (player, payment) in &players {
            player.until_final(payment).await;
        }
        let players: Vec<Player> = players.into_iter().map(|(player, _)| player).collect();
        let wallet = mesh.method("WALLET").await;
        let stop = Arc::new(AtomicBool::new(false));
        let mut task = JoinSet::new();
        task.spawn(run(mesh.clone(), players, wallet, Duration::from_secs(1) / rate, stop.clone()));
        Self { stop, task }
    }

    /// Ends the load, and waits until every request has been answered.
    pub(crate) async fn stop(mut self) -> Tally {
        self.stop.store(true, Ordering::Relaxed);
        let mut tally = self.task.join_next().await.unwrap().unwrap();
        tally.times.sort_unstable();
        tally
    }
}

async fn run(
    mesh: Mesh,
    players: Vec<Player>,
    wallet: String,
    period: Duration,
    stop: Arc<AtomicBool>,
) -> Tally {
    let mut calls = JoinSet::new();
    let mut tally = Tally::default();
    let mut ticks = interval(period);
    // A late tick is made up for, so that the rate holds.
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    for number in 0.. {
        ticks.tick().await;
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let (name, request) = request(&mesh, &players, &wallet, number);
        calls.spawn(async move {
            let begun = Instant::now();
            let (outcome, _) = api(request).await;
            (name, outcome, begun.elapsed())
        });
        while let Some(call) = calls.try_join_next() {
            tally.add(call.unwrap());
        }
    }
    while let Some(call) = calls.join_next().await {
        tally.add(call.unwrap());
    }
    tally
}

impl Tally {
    fn add(&mut self, (name, outcome, took): (&str, crate::capability::Outcome, Duration)) {
        self.count += 1;
        self.times.push(took);
        if !outcome.is_ok() {
            *self.failures.entry(format!("{name}: {}", outcome.describe())).or_default() += 1;
        }
    }
}

/// Builds a request: one in five is a boost from wallet to wallet, the others are reads of all
/// services.
fn request(
    mesh: &Mesh,
    players: &[Player],
    wallet: &str,
    number: usize,
) -> (&'static str, RequestBuilder) {
    let player = &players[number / 10 % players.len()];
    let get = |path: &str| player.call(Method::GET, path);
    match number % 10 {
        0 | 5 => {
            let friend = &players[(number / 10 + 1) % players.len()];
            let body = json!({"paymentMethodId": wallet, "amount": 1, "userId": friend.uid});
            ("boost", player.top_up_call(&mesh.unique_id(), &body))
        }
        1 => ("profile", get("/auth/login")),
        2 | 6 => ("balance", get("/wallets/balance")),
        3 => ("history", get("/wallets/list")),
        4 => ("games", get("/games/list")),
        7 => ("tournaments", get("/tournaments")),
        8 => ("chat rooms", get("/chat-rooms/list")),
        _ => ("a player", get(&format!("/users/public/{}", player.uid))),
    }
}
