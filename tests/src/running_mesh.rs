//! The running mesh, as a client sees it.

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

/// The timeout of a call; a client waits no longer.
const CALL_LIMIT: Duration = Duration::from_mins(1);
/// The timeout of a live stream, which may stay open for a whole journey.
const STREAM_LIMIT: Duration = Duration::from_mins(10);

/// A query that returns one row for each violated invariant of the ledger.
const PROOF: &str = include_str!("../../svc-wallet/proof.sql");

/// A client of a running mesh: calls to the gateway, the sandbox, and the ledger's
/// proof. Cheap to clone.
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
    /// Locked until the test ends.
    _lock: File,
}

impl Mesh {
    /// The mesh, shared with journeys that run at the same time.
    pub fn from_env() -> Self {
        Self::locked(|file| file.lock_shared().expect("a shared lock"))
    }

    /// The mesh with exclusive access, for a journey that kills processes, measures
    /// memory or changes the sandbox for everybody. The lock is a file, because a test
    /// runner may give each test a process.
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
            http: client_with_own_address(&rng),
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

    /// The sandbox.
    pub fn sandbox(&self) -> &Sandbox {
        &self.0.sandbox
    }

    /// The gateway's origin.
    pub fn url(&self) -> &str {
        &self.0.url
    }

    /// The system clock.
    pub fn clock(&self) -> &Clock {
        &self.0.clock
    }

    /// A request without a bearer token; the path begins at the origin's root.
    pub fn call(&self, method: Method, path: &str) -> RequestBuilder {
        self.stream(method, path).timeout(CALL_LIMIT)
    }

    /// [`Self::call`] with a timeout for streams.
    pub fn stream(&self, method: Method, path: &str) -> RequestBuilder {
        self.stream_at(&self.0.url, method, path)
    }

    /// [`Self::stream`] to another gateway.
    pub(crate) fn stream_at(&self, gateway: &str, method: Method, path: &str) -> RequestBuilder {
        self.0.http.request(method, format!("{gateway}{path}"))
    }

    /// Sends a GET under `/api` as a guest.
    pub async fn get(&self, path: &str) -> Reply {
        Reply::to(self.call(Method::GET, &format!("/api{path}"))).await
    }

    /// Sends a POST under `/api` as a guest.
    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        Reply::to(self.call(Method::POST, &format!("/api{path}")).json(body)).await
    }

    /// A unique id, for idempotency keys, mail addresses and usernames.
    pub fn unique_id(&self) -> String {
        self.0.rng.uuid_v7(self.0.clock.now()).to_string()
    }

    /// A unique address whose mailbox Google runs.
    pub fn new_gmail(&self) -> String {
        format!("{}@gmail.com", self.unique_id())
    }

    /// A random phone number in its national spelling, `07…`.
    pub fn new_phone(&self) -> String {
        let digits = u32::from_be_bytes(self.0.rng.bytes()) % 100_000_000;
        format!("07{digits:08}")
    }

    /// The payload of a solved captcha, as the ALTCHA widget produces it.
    pub async fn solved_captcha(&self) -> String {
        let challenge = self.get("/auth/captcha").await.ok();
        let challenge: Challenge =
            serde_json::from_value(challenge).expect("an ALTCHA v2 challenge");
        let solve = move || {
            let solution = solve_challenge(SolveChallengeOptions::new(&challenge));
            let solution = solution.expect("a valid challenge").expect("a solution in time");
            serde_json::to_vec(&Payload { challenge, solution }).expect("the widget's payload")
        };
        let payload = tokio::task::spawn_blocking(solve).await.expect("a solved captcha");
        STANDARD.encode(payload)
    }

    /// Signs up, and returns the reply unchecked.
    pub async fn sign_up(&self, email: &str, password: &str) -> Reply {
        let captcha = self.solved_captcha().await;
        let body = json!({"email": email, "password": password, "captcha": captcha});
        self.post("/auth/sign-up", &body).await
    }

    /// Requests a code by SMS.
    pub async fn start_phone(&self, phone: &str) -> Reply {
        let captcha = self.solved_captcha().await;
        self.post("/auth/phone/start", &json!({"phone": phone, "captcha": captcha})).await
    }

    /// Submits the code of an SMS.
    pub async fn verify_phone(&self, challenge: &Value, code: &str) -> Reply {
        let body = json!({"challengeId": challenge["challengeId"], "code": code});
        self.post("/auth/phone/verify", &body).await
    }

    /// A player who has just signed up by email, with a phone of their own.
    pub async fn new_player(&self) -> Player {
        Player::sign_up(self).await
    }

    /// A player who has signed in by phone, and has no password.
    pub async fn new_phone_player(&self) -> Player {
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

    /// The state of a payment, as svc-wallet has stored it.
    pub async fn payment_state(&self, payment: &str) -> String {
        sqlx::query_scalar("SELECT state FROM payment WHERE id = $1::uuid")
            .bind(payment)
            .fetch_one(&self.0.ledger)
            .await
            .expect("the payment's row")
    }

    /// Runs `proof.sql`, and asserts that no invariant of the ledger is violated. One
    /// statement sees one snapshot, so journeys that run at the same time do not
    /// disturb it.
    pub async fn prove(&self) {
        let broken: Vec<(String, String, String)> =
            sqlx::query_as(PROOF).fetch_all(&self.0.ledger).await.expect("the ledger answers");
        assert!(broken.is_empty(), "the ledger's proof fails: {broken:?}");
    }

    /// The folder with the records of the mesh's processes.
    pub(crate) fn run_dir(&self) -> &PathBuf {
        &self.0.run
    }
}

/// An HTTP client with its own source address. The gateway limits guests per address,
/// and a test run makes more guest calls in a minute than one address may; all of
/// 127.0.0.0/8 is this machine (RFC 5735), so each test takes another address.
fn client_with_own_address(rng: &Rng) -> reqwest::Client {
    let [a, b, c] = rng.bytes();
    // Not .0 and not .255, which some network stacks reserve.
    let address = Ipv4Addr::new(127, a, b, c % 254 + 1);
    reqwest::Client::builder()
        .local_address(IpAddr::from(address))
        .redirect(reqwest::redirect::Policy::none())
        .timeout(STREAM_LIMIT)
        .build()
        .expect("an HTTP client")
}
