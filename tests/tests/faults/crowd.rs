//! Players behind one address of a carrier, while phones among them send junk.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use futures_util::{StreamExt as _, stream};
use journeys::{Mesh, Operator, PASSWORD, Reply};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tokio::{task::JoinSet, time::MissedTickBehavior};

use crate::report;

/// Players with an account, each on a known device.
const PLAYERS: usize = 5_000;
/// Players who sign up during the junk, on browsers without a device.
const NEWCOMERS: usize = 50;
/// Players who do something at the same time.
const AT_ONCE: usize = 16;
/// Phones that send junk.
const ATTACKERS: usize = 10;
/// The time between two calls of an attacker: 50 calls a second.
const PAUSE: Duration = Duration::from_millis(20);
/// The time that a run of ten ticks takes.
const RUN: Duration = Duration::from_millis(250);
/// The longest that one in a hundred calls of players may take.
const P99: Duration = Duration::from_secs(1);

/// A player's browser.
#[derive(Clone)]
struct Browser {
    mesh: Mesh,
    email: String,
    /// The cookie of the device.
    device: String,
    calls: Calls,
}

/// The times of the calls, and the refusals.
#[derive(Clone, Default)]
struct Calls(Arc<Mutex<(Vec<Duration>, Vec<String>)>>);

impl Calls {
    /// Sends a player's call, and keeps its time and what it was refused with.
    async fn send(&self, what: &str, call: RequestBuilder) -> Reply {
        let sent = Instant::now();
        let reply = Reply::to(call).await;
        let mut kept = self.0.lock().unwrap();
        kept.0.push(sent.elapsed());
        if reply.status >= 400 {
            kept.1.push(format!("{what}: {} {}", reply.status, reply.payload["code"]));
        }
        reply
    }
}

impl Browser {
    /// Introduces the browser as a device by a captcha, and signs up on it.
    async fn sign_up(mesh: &Mesh, calls: &Calls) -> Self {
        let captcha = json!({"captcha": mesh.solved_captcha().await});
        let call = mesh.call(Method::POST, "/api/auth/device").json(&captcha);
        let reply = calls.send("a device", call).await;
        let cookie = reply.headers["set-cookie"].to_str().unwrap();
        let device = cookie.split(';').next().unwrap().to_owned();
        let email = format!("{}@example.com", mesh.unique_id());
        let browser = Self { mesh: mesh.clone(), email, device, calls: calls.clone() };
        let captcha = mesh.solved_captcha().await;
        let body = json!({"email": browser.email, "password": PASSWORD, "captcha": captcha});
        browser.send("a sign-up", Method::POST, "/auth/sign-up", Some(&body), None).await.ok();
        browser
    }

    async fn send(
        &self,
        what: &str,
        method: Method,
        path: &str,
        body: Option<&Value>,
        token: Option<&str>,
    ) -> Reply {
        let mut call = self.mesh.call(method, &format!("/api{path}"));
        call = call.header("cookie", &self.device);
        if let Some(body) = body {
            call = call.json(body);
        }
        if let Some(token) = token {
            call = call.bearer_auth(token);
        }
        self.calls.send(what, call).await
    }

    /// Signs in on the known device, looks at the games and the wallet, plays a run and submits it.
    async fn play(self, game: &str) {
        let body = json!({"email": self.email, "password": PASSWORD});
        let session =
            self.send("a sign-in", Method::POST, "/auth/sign-in", Some(&body), None).await;
        let Some(token) = session.payload["accessToken"].as_str() else { return };
        let token = Some(token);
        self.send("the games", Method::GET, "/games/list", None, None).await;
        self.send("the balance", Method::GET, "/wallets/balance", None, token).await;
        let path = format!("/games/{game}/sessions");
        let started = self.send("a start", Method::POST, &path, Some(&json!({})), token).await;
        let session = json!({"session": started.payload["session"]});
        self.send("a beginning", Method::POST, "/runs", Some(&session), None).await;
        let run = json!({"session": started.payload["session"], "inputs": "CgA=", "points": 0});
        tokio::time::sleep(RUN).await;
        self.send("a score", Method::POST, "/scores", Some(&run), None).await;
    }
}

/// The calls of an attacker, one of each kind after the other.
fn junk(mesh: &Mesh, number: usize) -> RequestBuilder {
    let post = |path: &str, body: Value| mesh.call(Method::POST, path).json(&body);
    let forged = "A".repeat(86);
    match number % 10 {
        0 => mesh.call(Method::GET, "/api/games/list"),
        1 => {
            let email = format!("{}@example.com", mesh.unique_id());
            post("/api/auth/sign-in", json!({"email": email, "password": "a-guess"}))
        }
        2 => post("/api/auth/phone/verify", json!({"challengeId": forged, "code": "123456"})),
        3 => {
            let email = format!("{}@example.com", mesh.unique_id());
            post("/api/auth/password/reset", json!({"email": email}))
        }
        4 => post("/api/auth/refresh", json!({"refreshToken": forged})),
        5 => mesh.call(Method::GET, "/api/auth/captcha"),
        6 => post("/api/auth/phone/start", json!({"phone": "0712345678", "captcha": "e30="})),
        7 => {
            let email = format!("{}@example.com", mesh.unique_id());
            let body = json!({"email": email, "password": "a-password", "captcha": "e30="});
            post("/api/auth/sign-up", body)
        }
        8 => post("/api/scores", json!({"session": "A".repeat(43), "inputs": "", "points": 1})),
        _ => mesh.call(Method::GET, "/nothing"),
    }
}

/// Sends junk until `stop`; returns how many calls it sent.
async fn attack(mesh: Mesh, stop: Arc<AtomicBool>) -> usize {
    let mut pace = tokio::time::interval(PAUSE);
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut calls = JoinSet::new();
    for number in 0.. {
        if stop.load(Ordering::SeqCst) {
            return number;
        }
        pace.tick().await;
        // Its reply is nothing to an attacker.
        let call = junk(&mesh, number);
        calls.spawn(async move { drop(call.send().await) });
        while calls.try_join_next().is_some() {}
    }
    0
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes, on a mesh of its own: cargo xtask faults --only crowd"]
async fn crowd() {
    let mesh = Mesh::alone();
    let game = Operator::of(&mesh).apply_counter_game("counter").await;
    let before = Calls::default();
    let players: Vec<Browser> = stream::iter(0..PLAYERS)
        .map(|_| Browser::sign_up(&mesh, &before))
        .buffer_unordered(AT_ONCE)
        .collect()
        .await;

    let stop = Arc::new(AtomicBool::new(false));
    let mut attackers = JoinSet::new();
    for _ in 0..ATTACKERS {
        attackers.spawn(attack(mesh.clone(), Arc::clone(&stop)));
    }
    let (calls, begun, played) = (Calls::default(), Instant::now(), AtomicUsize::new(0));
    let known = stream::iter(players).for_each_concurrent(AT_ONCE, async |browser| {
        Browser { calls: calls.clone(), ..browser }.play(&game).await;
        played.fetch_add(1, Ordering::SeqCst);
    });
    let new = stream::iter(0..NEWCOMERS).for_each_concurrent(1, async |_| {
        Browser::sign_up(&mesh, &calls).await.play(&game).await;
    });
    tokio::join!(known, new);
    let seconds = begun.elapsed().as_secs().max(1);
    stop.store(true, Ordering::SeqCst);
    let junk: usize = attackers.join_all().await.into_iter().sum();

    let (mut times, refused) = std::mem::take(&mut *calls.0.lock().unwrap());
    times.sort_unstable();
    let p99 = times[times.len() * 99 / 100];
    let json = json!({
        "players": played.load(Ordering::SeqCst), "newcomers": NEWCOMERS, "calls": times.len(),
        "refused": refused.len(), "p99_ms": p99.as_millis(), "junk": junk, "seconds": seconds,
        "slowest_ms": times.last().map(Duration::as_millis),
    });
    report::write(&markdown(&json), &json);
    assert!(
        refused.is_empty(),
        "{} refused: {:?}",
        refused.len(),
        &refused[..refused.len().min(9)]
    );
    assert!(p99 < P99, "{json}");
    assert!(junk > 0, "{json}");
}

fn markdown(json: &Value) -> String {
    format!(
        "{} players on known devices and {} on new ones, all behind one address, made {} calls in {} s, while {ATTACKERS} phones sent \
         {} junk calls of ten kinds.\n\n\
         | players' calls that were refused | p99 | the slowest |\n\
         | --- | --- | --- |\n\
         | {} | {} ms | {} ms |\n",
        json["players"],
        json["newcomers"],
        json["calls"],
        json["seconds"],
        json["junk"],
        json["refused"],
        json["p99_ms"],
        json["slowest_ms"],
    )
}
