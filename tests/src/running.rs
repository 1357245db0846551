//! The mesh that runs.

use std::{
    fs::{File, create_dir_all},
    net::{IpAddr, Ipv4Addr},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use altcha::{Challenge, Payload, SolveChallengeOptions, solve_challenge};
use base64::{Engine, engine::general_purpose::STANDARD};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use sqlx::{PgPool, postgres::PgPoolOptions};
use types::{Clock, Rng};

use crate::{Player, Reply, Sandbox, env};

/// Longest that a client waits for a call (api.md).
const CALL_LIMIT: Duration = Duration::from_mins(1);
/// Longest that anything is waited for: a live stream over a whole journey.
const STREAM_LIMIT: Duration = Duration::from_mins(10);

/// No row of it, and every shilling is where it should be.
const PROOF: &str = include_str!("../../svc-wallet/proof.sql");

/// The front door of a running mesh, and the little that a test may know of what
/// is behind it. Cheap to clone.
#[derive(Clone)]
pub struct Mesh(Arc<Inner>);

struct Inner {
    url: String,
    http: reqwest::Client,
    sandbox: Sandbox,
    ledger: PgPool,
    run: PathBuf,
    rng: Rng,
    clock: Clock,
    /// Held until the test ends.
    _lock: File,
}

impl Mesh {
    /// The mesh, shared with other journeys.
    pub fn from_env() -> Self {
        Self::locked(|file| file.lock_shared().expect("a shared lock"))
    }

    /// The mesh, and nobody else at it: for whoever breaks or times it. It is a
    /// lock on a file, because a test runner may give each test a process.
    pub fn alone() -> Self {
        Self::locked(|file| file.lock().expect("a lock"))
    }

    fn locked(lock: impl FnOnce(&File)) -> Self {
        let run = PathBuf::from(env("RUN_DIR"));
        create_dir_all(&run).expect("the folder of the mesh's processes");
        let file = File::create(run.join("journeys.lock")).expect("a file to lock");
        lock(&file);
        let outside = mesh::http::client(STREAM_LIMIT).expect("an HTTP client");
        let rng = Rng::system();
        Self(Arc::new(Inner {
            url: env("PLAYON_URL"),
            sandbox: Sandbox::new(env("SANDBOX_URL"), outside),
            http: client_of_its_own(&rng),
            ledger: PgPoolOptions::new()
                .max_connections(1)
                .connect_lazy(&env("WALLET_DATABASE_URL"))
                .expect("a database URL"),
            run,
            rng,
            clock: Clock::system(),
            _lock: file,
        }))
    }

    /// The outside world.
    pub fn sandbox(&self) -> &Sandbox {
        &self.0.sandbox
    }

    /// The origin of the front door.
    pub fn url(&self) -> &str {
        &self.0.url
    }

    /// The real time.
    pub fn clock(&self) -> &Clock {
        &self.0.clock
    }

    /// A call of nobody in particular; the path begins at the origin's root.
    pub fn call(&self, method: Method, path: &str) -> RequestBuilder {
        self.stream(method, path).timeout(CALL_LIMIT)
    }

    /// A call whose reply may go on for as long as a journey.
    pub fn stream(&self, method: Method, path: &str) -> RequestBuilder {
        self.0.http.request(method, format!("{}{path}", self.0.url))
    }

    /// Reads under `/api` as a guest.
    pub async fn get(&self, path: &str) -> Reply {
        Reply::to(self.call(Method::GET, &format!("/api{path}"))).await
    }

    /// Posts under `/api` as a guest.
    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        Reply::to(self.call(Method::POST, &format!("/api{path}")).json(body)).await
    }

    /// A name that nobody had before: of an attempt, or of a newcomer.
    pub fn new_name(&self) -> String {
        self.0.rng.uuid_v7(self.0.clock.now()).to_string()
    }

    /// A number that nobody else of the test run has, as its owner spells it.
    pub fn new_phone(&self) -> String {
        let digits = u32::from_be_bytes(self.0.rng.bytes()) % 100_000_000;
        format!("07{digits:08}")
    }

    /// A captcha, solved as the widget solves it.
    pub async fn solved_captcha(&self) -> String {
        let challenge = self.get("/auth/captcha").await.ok();
        let challenge: Challenge =
            serde_json::from_value(challenge).expect("an ALTCHA v2 challenge");
        let solve = move || {
            let solution = solve_challenge(SolveChallengeOptions::new(&challenge));
            let solution = solution.expect("a sound challenge").expect("a solution in time");
            serde_json::to_vec(&Payload { challenge, solution }).expect("the widget's payload")
        };
        let payload = tokio::task::spawn_blocking(solve).await.expect("a solved captcha");
        STANDARD.encode(payload)
    }

    /// Asks for an account.
    pub async fn sign_up(&self, email: &str, password: &str) -> Reply {
        let captcha = self.solved_captcha().await;
        let body = json!({"email": email, "password": password, "captcha": captcha});
        self.post("/auth/sign-up", &body).await
    }

    /// Asks for a code by SMS.
    pub async fn start_phone(&self, phone: &str) -> Reply {
        let captcha = self.solved_captcha().await;
        self.post("/auth/phone/start", &json!({"phone": phone, "captcha": captcha})).await
    }

    /// Enters a code.
    pub async fn verify_phone(&self, challenge: &Value, code: &str) -> Reply {
        let body = json!({"challengeId": challenge["challengeId"], "code": code});
        self.post("/auth/phone/verify", &body).await
    }

    /// Somebody who has just signed up, with a phone of their own.
    pub async fn newcomer(&self) -> Player {
        Player::sign_up(self).await
    }

    /// Somebody who came in by their phone, and has no other way.
    pub async fn comer_by_phone(&self) -> Player {
        let phone = self.new_phone();
        let challenge = self.start_phone(&phone).await.ok();
        let code = self.sandbox().code_sent_to(&phone).await;
        let session = self.verify_phone(&challenge, &code).await.ok();
        Player::of(self, "", &phone, &session)
    }

    /// The id of a payment method by its code.
    pub async fn method(&self, code: &str) -> String {
        let methods = self.get("/payment-methods/list").await.ok();
        let methods = methods.as_array().expect("a list");
        let method = methods.iter().find(|method| method["code"] == code);
        let method = method.unwrap_or_else(|| panic!("no method {code}"));
        method["id"].as_str().expect("an id").to_owned()
    }

    /// Holds the ledger to its proof. One statement sees one moment, so what
    /// other journeys are at does not disturb it.
    pub async fn prove(&self) {
        let broken: Vec<(String, String, String)> =
            sqlx::query_as(PROOF).fetch_all(&self.0.ledger).await.expect("the ledger answers");
        assert!(broken.is_empty(), "the ledger's proof fails: {broken:?}");
    }

    /// The folder in which the processes of the mesh are recorded.
    pub(crate) fn run_dir(&self) -> &PathBuf {
        &self.0.run
    }
}

/// A client with an address of its own. The gateway counts guests by address, and a
/// test run has more of them in a minute than a carrier's address has; all of
/// 127.0.0.0/8 is this machine (RFC 5735), so every test may come from elsewhere.
fn client_of_its_own(rng: &Rng) -> reqwest::Client {
    let [a, b, c] = rng.bytes();
    // Not .0 and not .255, which some stacks take for a network and its broadcast.
    let address = Ipv4Addr::new(127, a, b, c % 254 + 1);
    reqwest::Client::builder()
        .local_address(IpAddr::from(address))
        .redirect(reqwest::redirect::Policy::none())
        .timeout(STREAM_LIMIT)
        .build()
        .expect("an HTTP client")
}
