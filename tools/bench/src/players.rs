//! Players that sign up through the gateway and pay.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use http::{
    HeaderName, HeaderValue, Method,
    header::{AUTHORIZATION, HeaderMap},
};
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep};
use types::{Clock, Rng};
use uuid::Uuid;

use crate::{
    address::Target,
    client::{self, Connection, HttpRequest},
    sandbox::Sandbox,
    session,
};

/// The opening balance of each player in KES: more than a run of a minute spends, and
/// below the amount from which svc-wallet confirms a callback by a query (`CONFIRM_FROM`).
const OPENING_BALANCE: u32 = 10_000;
/// The idempotency key of the opening balance's payment: a second call returns the same payment.
const OPENING_KEY: &str = "opening";
/// The longest that a condition is polled for.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The pause between two polls.
const POLL_INTERVAL: Duration = Duration::from_millis(25);
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// A signed-in player.
pub(crate) struct Player {
    pub(crate) uid: String,
    /// The number of the player's handset in the sandbox.
    pub(crate) msisdn: String,
    pub(crate) email: String,
    bearer: HeaderValue,
}

/// The players of a run and the methods they pay by.
pub(crate) struct Players {
    all: Vec<Player>,
    methods: PaymentMethods,
    /// Unique for each run: part of every address and idempotency key.
    run: String,
}

/// The ids of the payment methods.
struct PaymentMethods {
    mpesa: String,
    wallet: String,
}

/// A payment as the API shows it to its payer.
#[derive(Deserialize)]
pub(crate) struct Payment {
    #[serde(rename = "paymentId")]
    pub(crate) id: String,
    status: String,
    message: String,
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
    /// Adds the player's access token to a request.
    pub(crate) fn authorize(&self, mut request: HttpRequest) -> HttpRequest {
        self.authorize_headers(request.headers_mut());
        request
    }

    /// Adds the player's access token to headers.
    pub(crate) fn authorize_headers(&self, headers: &mut HeaderMap) {
        headers.insert(AUTHORIZATION, self.bearer.clone());
    }
}

impl Players {
    /// Signs up `count` players, as many at a time as there are cores: each solves a
    /// captcha.
    pub(crate) async fn sign_up(target: Target, count: u16, rng: &Rng) -> Result<Self> {
        let run = rng.uuid_v7(Clock::system().now()).simple().to_string();
        let methods = payment_methods(&mut Connection::new(target)).await?;
        let numbers = u32::from_be_bytes(rng.bytes()) % 900_000;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let all = stream::iter(0..count)
            .map(|place| {
                let email = format!("bench-{run}-{place}@playon.example");
                // The last two digits are the player's number: at most 100 players.
                let msisdn = format!("2547{:08}", numbers * 100 + u32::from(place));
                sign_up(target, email, msisdn)
            })
            .buffered(cores)
            .try_collect()
            .await?;
        Ok(Self { all, methods, run })
    }

    /// Gives each player the opening balance by M-Pesa. A second call does nothing: the
    /// payments have the same idempotency keys.
    pub(crate) async fn fund(&self, target: Target, sandbox: Target) -> Result<()> {
        let mut sandbox = Sandbox::new(sandbox);
        let mut connection = Connection::new(target);
        let mut begun = Vec::new();
        for player in &self.all {
            sandbox.approve_prompts(&player.msisdn).await?;
            let payment = self.opening(&mut connection, player).await?;
            begun.push((player, payment));
        }
        for (player, payment) in begun {
            wait_until_completed(&mut connection, player, payment).await?;
        }
        Ok(())
    }

    /// The payment of a player's opening balance, once [`Self::fund`] has made it.
    pub(crate) async fn opening(
        &self,
        connection: &mut Connection,
        player: &Player,
    ) -> Result<Payment> {
        self.top_up_by_mpesa(connection, player, OPENING_BALANCE, OPENING_KEY).await
    }

    /// Starts a top-up that prompts the player's handset.
    pub(crate) async fn top_up_by_mpesa(
        &self,
        connection: &mut Connection,
        player: &Player,
        amount: u32,
        key: &str,
    ) -> Result<Payment> {
        let body = TopUp {
            payment_method_id: &self.methods.mpesa,
            amount,
            mpesa_phone_number: Some(&player.msisdn),
            user_id: None,
        };
        connection.call_api(self.top_up(player, &body, key)?).await
    }

    /// The request that moves KES 1 from a player's wallet to the player `payee`.
    pub(crate) fn transfer(&self, from: &Player, payee: &str, key: &str) -> Result<HttpRequest> {
        let body = TopUp {
            payment_method_id: &self.methods.wallet,
            amount: 1,
            mpesa_phone_number: None,
            user_id: Some(payee),
        };
        self.top_up(from, &body, key)
    }

    /// The player with this number, modulo the number of players.
    pub(crate) fn get(&self, number: usize) -> Result<&Player> {
        self.all.get(number % self.all.len().max(1)).context("there are no players")
    }

    /// The ids of all players.
    pub(crate) fn ids(&self) -> Result<Vec<Uuid>> {
        self.all.iter().map(|player| Ok(player.uid.parse()?)).collect()
    }

    /// A text that no other run has.
    pub(crate) fn run(&self) -> &str {
        &self.run
    }

    /// The number of players.
    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }

    /// The number of pairs that pay each other.
    pub(crate) fn pairs(&self) -> usize {
        self.all.len() / 2
    }

    fn top_up(&self, player: &Player, body: &TopUp<'_>, key: &str) -> Result<HttpRequest> {
        let request = client::json(Method::POST, "/api/payments/top-up", body)?;
        let mut request = player.authorize(request);
        let key = format!("bench-{}-{key}", self.run);
        request.headers_mut().insert(IDEMPOTENCY_KEY, key.parse()?);
        Ok(request)
    }
}

/// Polls `condition` until it is true; fails after 30 s.
pub(crate) async fn poll_until<F: AsyncFnMut() -> Result<bool>>(
    what: &str,
    mut condition: F,
) -> Result<()> {
    let deadline = Instant::now() + TIMEOUT;
    while !condition().await? {
        ensure!(Instant::now() < deadline, "{what} took longer than 30 s");
        sleep(POLL_INTERVAL).await;
    }
    Ok(())
}

async fn wait_until_completed(
    connection: &mut Connection,
    player: &Player,
    payment: Payment,
) -> Result<()> {
    let path = format!("/api/payments/{}", payment.id);
    poll_until("an opening top-up", async || {
        let payment: Payment = connection.call_api(player.authorize(client::get(&path)?)).await?;
        ensure!(payment.status != "ERROR", "an opening top-up failed: {}", payment.message);
        Ok(payment.status == "COMPLETED")
    })
    .await
}

async fn payment_methods(connection: &mut Connection) -> Result<PaymentMethods> {
    #[derive(Deserialize)]
    struct PaymentMethod {
        id: String,
        code: String,
    }
    let list: Vec<PaymentMethod> =
        connection.call_api(client::get("/api/payment-methods/list")?).await?;
    let find = |code: &str| {
        let found = list.iter().find(|method| method.code == code);
        found.map(|method| method.id.clone()).with_context(|| format!("no payment method {code}"))
    };
    Ok(PaymentMethods { mpesa: find("MPESA")?, wallet: find("WALLET")? })
}

async fn sign_up(target: Target, email: String, msisdn: String) -> Result<Player> {
    let session = session::sign_up(target, &email).await?;
    Ok(Player { bearer: session.bearer()?, uid: session.uid, msisdn, email })
}
