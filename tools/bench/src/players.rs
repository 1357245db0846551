//! Players, made through the front door: captcha, sign-up, a first top-up.

use std::{sync::Arc, time::Duration};

use altcha::{Challenge, Payload, SolveChallengeOptions, solve_challenge};
use anyhow::{Context as _, Result, ensure};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use http::{
    HeaderName, HeaderValue, Method,
    header::{AUTHORIZATION, HeaderMap},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::time::{Instant, sleep};
use types::{Chance, Clock};

use crate::{
    client::{self, Connection, Outgoing},
    sandbox::Sandbox,
    target::Target,
};

/// What each player begins with, in whole KES: far more than the bench moves
/// one way, and less than svc-wallet would confirm by a query (`CONFIRM_FROM`).
const FLOAT: u32 = 10_000;
/// Longest that a first top-up may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// Everybody's.
const PASSWORD: &str = "a long enough password";
/// Between two looks at a payment or a handset.
const LOOK: Duration = Duration::from_millis(25);
/// The header that names an attempt.
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// A signed-in player.
pub(crate) struct Player {
    /// Their id.
    pub(crate) uid: String,
    /// The number of their handset in the sandbox.
    pub(crate) msisdn: String,
    email: String,
    bearer: HeaderValue,
}

/// All of them, and how they pay.
pub(crate) struct Players {
    all: Vec<Player>,
    methods: Methods,
    /// Different in every run: part of every key and address.
    run: String,
}

struct Methods {
    mpesa: String,
    wallet: String,
}

/// A payment as its payer sees it.
#[derive(Deserialize)]
pub(crate) struct Payment {
    #[serde(rename = "paymentId")]
    pub(crate) id: String,
    pub(crate) status: String,
    pub(crate) message: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TopUp<'a> {
    payment_method_id: &'a str,
    amount: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    mpesa_phone_number: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_id: Option<&'a str>,
}

impl Player {
    /// In again, by email and password.
    pub(crate) fn sign_in(&self) -> Result<Outgoing> {
        let form = json!({"email": self.email, "password": PASSWORD});
        client::send(Method::POST, "/api/auth/sign-in", &form)
    }

    /// The address they signed up with.
    pub(crate) fn email(&self) -> &str {
        &self.email
    }

    /// The request, as theirs.
    pub(crate) fn sign(&self, mut request: Outgoing) -> Outgoing {
        request.headers_mut().insert(AUTHORIZATION, self.bearer.clone());
        request
    }

    /// Theirs, for headers made by hand.
    pub(crate) fn add_bearer(&self, headers: &mut HeaderMap) {
        headers.insert(AUTHORIZATION, self.bearer.clone());
    }
}

impl Players {
    /// Signs up `count` players, as many at a time as there are cores.
    pub(crate) async fn sign_up(target: Target, count: u16, chance: &Chance) -> Result<Self> {
        let run = chance.uuid_v7(Clock::system().now()).simple().to_string();
        let mut connection = Connection::to(target);
        let methods = methods(&mut connection).await?;
        let numbers = u32::from_be_bytes(chance.bytes()) % 900_000;
        let at_once = std::thread::available_parallelism().map_or(1, usize::from);
        let all = stream::iter(0..count)
            .map(|place| {
                let email = format!("bench-{run}-{place}@playon.example");
                // The last two digits are the place: 100 players at most.
                let msisdn = format!("2547{:08}", numbers * 100 + u32::from(place));
                one(target, email, msisdn)
            })
            .buffered(at_once)
            .try_collect()
            .await?;
        Ok(Self { all, methods, run })
    }

    /// Gives each of them something to pay with, by M-Pesa.
    pub(crate) async fn fund(&self, target: Target, sandbox: Target) -> Result<()> {
        let mut sandbox = Sandbox::at(sandbox);
        let mut connection = Connection::to(target);
        let mut begun = Vec::new();
        for player in &self.all {
            sandbox.approves(&player.msisdn).await?;
            let payment = self.by_mpesa(&mut connection, player, FLOAT, "float").await?;
            begun.push((player, payment));
        }
        for (player, payment) in begun {
            completed(&mut connection, player, payment).await?;
        }
        Ok(())
    }

    /// Asks `player`'s handset to pay.
    pub(crate) async fn by_mpesa(
        &self,
        connection: &mut Connection,
        player: &Player,
        amount: u32,
        key: &str,
    ) -> Result<Payment> {
        let ask = TopUp {
            payment_method_id: &self.methods.mpesa,
            amount,
            mpesa_phone_number: Some(&player.msisdn),
            user_id: None,
        };
        connection.ask(self.top_up(player, &ask, key)?).await
    }

    /// KES 1 from one wallet to another.
    pub(crate) fn transfer(&self, from: &Player, to: &Player, key: &str) -> Result<Outgoing> {
        let ask = TopUp {
            payment_method_id: &self.methods.wallet,
            amount: 1,
            mpesa_phone_number: None,
            user_id: Some(&to.uid),
        };
        self.top_up(from, &ask, key)
    }

    fn top_up(&self, player: &Player, ask: &TopUp<'_>, key: &str) -> Result<Outgoing> {
        let mut request = player.sign(client::send(Method::POST, "/api/payments/top-up", ask)?);
        let key = format!("bench-{}-{key}", self.run);
        request.headers_mut().insert(IDEMPOTENCY_KEY, key.parse()?);
        Ok(request)
    }

    /// Somebody for each turn, in a circle.
    pub(crate) fn turn(&self, turn: usize) -> Result<&Player> {
        self.all.get(turn % self.all.len().max(1)).context("there are no players")
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }

    /// Pairs that pay each other.
    pub(crate) fn pairs(&self) -> usize {
        self.all.len() / 2
    }
}

/// Waits until a look says yes.
pub(crate) async fn until<F: AsyncFnMut() -> Result<bool>>(what: &str, mut look: F) -> Result<()> {
    let ends = Instant::now() + PATIENCE;
    while !look().await? {
        ensure!(Instant::now() < ends, "{what} took longer than 30 s");
        sleep(LOOK).await;
    }
    Ok(())
}

async fn completed(connection: &mut Connection, player: &Player, payment: Payment) -> Result<()> {
    let path = format!("/api/payments/{}", payment.id);
    until("a first top-up", async || {
        let payment: Payment = connection.ask(player.sign(client::get(&path)?)).await?;
        ensure!(payment.status != "ERROR", "a first top-up failed: {}", payment.message);
        Ok(payment.status == "COMPLETED")
    })
    .await
}

async fn methods(connection: &mut Connection) -> Result<Methods> {
    #[derive(Deserialize)]
    struct Method {
        id: String,
        code: String,
    }
    let list: Vec<Method> = connection.ask(client::get("/api/payment-methods/list")?).await?;
    let find = |code: &str| {
        let found = list.iter().find(|method| method.code == code);
        found.map(|method| method.id.clone()).with_context(|| format!("nobody can pay by {code}"))
    };
    Ok(Methods { mpesa: find("MPESA")?, wallet: find("WALLET")? })
}

async fn one(target: Target, email: String, msisdn: String) -> Result<Player> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Session {
        uid: String,
        access_token: String,
    }
    let mut connection = Connection::to(target);
    let challenge: Challenge = connection.ask(client::get("/api/auth/captcha")?).await?;
    let captcha = solve(challenge).await?;
    let form = json!({"email": email, "password": PASSWORD, "captcha": captcha});
    let request = client::send(Method::POST, "/api/auth/sign-up", &form)?;
    let session: Session = connection.ask(request).await?;
    let mut bearer = HeaderValue::try_from(format!("Bearer {}", session.access_token))?;
    bearer.set_sensitive(true);
    Ok(Player { uid: session.uid, msisdn, email, bearer })
}

/// What the widget does in the browser.
async fn solve(challenge: Challenge) -> Result<String> {
    let challenge = Arc::new(challenge);
    let to_solve = Arc::clone(&challenge);
    let solution =
        tokio::task::spawn_blocking(move || solve_challenge(SolveChallengeOptions::new(&to_solve)));
    let solution = solution.await??.context("the captcha was not solved in time")?;
    let challenge = Arc::unwrap_or_clone(challenge);
    Ok(STANDARD.encode(serde_json::to_vec(&Payload { challenge, solution })?))
}
