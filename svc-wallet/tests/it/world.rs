//! The shared set-up of the tests: the wallet, the sandbox's phones, and a stub of the gateway's
//! hook.

use std::{net::SocketAddr, time::Duration};

use axum::http::StatusCode;
use mesh::{
    Base, Shutdown,
    args::AuthArgs,
    grpc::client::{Outgoing, Upstream},
};
use proto::{
    auth::v1::directory_service_server::DirectoryServiceServer,
    types::v1::{PaymentStatus, Text},
    wallet::v1::{
        GetBalanceRequest, GetPaymentRequest, ListPaymentMethodsRequest, ListTransactionsRequest,
        Payment, Provider, ReceiveCallbackRequest, TopUpRequest, Transaction,
        callback_service_client::CallbackServiceClient, payout_service_client::PayoutServiceClient,
        wallet_service_client::WalletServiceClient,
    },
};
use serde_json::{Value, json};
use sqlx::PgPool;
use svc_wallet::{Args, CertificateSource, DarajaArgs, PromptLimitArgs, WithdrawalArgs};
use testkit::{Database, Notifications, Tokens, eventually};
use tonic::{Request, Status, metadata::MetadataValue};
use types::{ExposeSecret, Money, PlayerId};

use crate::{
    callback_secret::CallbackSecret,
    carrier::Carrier,
    hook::{Hook, SeenCallback},
    paystack::Paystack,
    upstreams::Directory,
};

pub(crate) const PHONE: &str = "254712345678";

/// The wallet of one test, and everything around it.
pub(crate) struct World {
    pub(crate) base: Base,
    pub(crate) tokens: Tokens,
    pub(crate) database: Database,
    /// Connections as the superuser.
    pub(crate) pool: PgPool,
    /// The stub of svc-chat.
    pub(crate) directory: Directory,
    pub(crate) notifications: Notifications,
    pub(crate) paystack: Paystack,
    pub(crate) carrier: Carrier,
    pub(crate) sandbox: sandbox::Running,
    pub(crate) http: reqwest::Client,
    hook: Hook,
    args: Args,
    wallet: Option<mesh::Running>,
    /// The second replica, if the test started one.
    replica: Option<mesh::Running>,
}

/// A signed-in player.
#[derive(Clone)]
pub(crate) struct Player {
    pub(crate) id: PlayerId,
    pub(crate) token: String,
}

impl World {
    pub(crate) async fn new() -> Self {
        Self::with(|_| {}).await
    }

    /// Starts a world with this rate limit of prompts.
    pub(crate) async fn with_prompt_limit(per_hour: u16, per_day: u16) -> Self {
        Self::with(|args| {
            args.prompt_limit = PromptLimitArgs {
                unpaid_prompts_per_hour: per_hour,
                unpaid_prompts_per_day: per_day,
            };
        })
        .await
    }

    /// Starts a world with changed arguments.
    pub(crate) async fn with(change: impl FnOnce(&mut Args)) -> Self {
        let base = testkit::base("svc-wallet");
        let tokens = Tokens::new(&base.clock);
        let database = testkit::database("svc-wallet").await;
        let (sandbox, merchant) = open_sandbox(&base).await;
        let hook = Hook::open(&base.shutdown).await;
        let directory = Directory::default();
        let notifications = Notifications::default();
        let (paystack, paystack_addr) = Paystack::open(&base.shutdown).await;
        let (carrier, carrier_addr) = Carrier::open(&base.shutdown).await;
        let mut args = Args {
            paystack: Paystack::args(paystack_addr),
            carrier: Carrier::args(carrier_addr),
            mesh: testkit::args(),
            database_url: database.url.clone(),
            owner_database_url: Some(database.owner_url.clone()),
            database: testkit::database_args(),
            auth: AuthArgs { auth_url: serve_auth(&tokens, &directory).await },
            chat_url: notifications.serve().await,
            redis_url: testkit::redis_url(),
            daraja: daraja_args(sandbox.addr, hook.addr, merchant),
            payment_expiry: Duration::from_mins(3),
            confirm_from: Money::from_shillings(20_000),
            prompt_limit: PromptLimitArgs {
                unpaid_prompts_per_hour: 100,
                unpaid_prompts_per_day: 100,
            },
            withdrawals: WithdrawalArgs::default(),
            taxes: "".parse().unwrap(),
            awards_an_hour: Money::from_shillings(2_000_000),
            balance_tolerance: Money::from_shillings(1_000),
            inbox_retention: Duration::from_hours(24 * 90),
            phone_retention: Duration::from_hours(24 * 365 * 8),
        };
        change(&mut args);
        let mut world = Self {
            tokens,
            pool: database.pool.clone(),
            database,
            directory,
            notifications,
            paystack,
            carrier,
            sandbox,
            http: mesh::http::client(Duration::from_secs(30)).unwrap(),
            hook,
            args,
            wallet: None,
            replica: None,
            base,
        };
        // Tests of callbacks count them, and a balance comes as one.
        world.put_off_balance().await;
        world.start_wallet().await;
        world
    }

    /// Has the wallet compare no balance.
    async fn put_off_balance(&self) {
        let query =
            "INSERT INTO daily_job (name, done_for) VALUES ('compare_balance', '9999-12-31')";
        sqlx::query(query).execute(&self.pool).await.unwrap();
    }

    /// Changes the arguments for the next start of the wallet.
    pub(crate) fn change_args(&mut self, change: impl FnOnce(&mut Args)) {
        change(&mut self.args);
    }

    /// Starts the wallet on a new port, and points the hook to it.
    pub(crate) async fn start_wallet(&mut self) {
        self.base.shutdown = Shutdown::new();
        let app = svc_wallet::build(self.base.clone(), self.args.clone()).await.unwrap();
        let running = testkit::start(&self.base, app).await;
        self.hook.set_wallet(Some(running.addr));
        self.wallet = Some(running);
    }

    /// Starts a second replica of the wallet, on the same database.
    pub(crate) async fn start_replica(&mut self) {
        let app = svc_wallet::build(self.base.clone(), self.args.clone()).await.unwrap();
        self.replica = Some(testkit::start(&self.base, app).await);
    }

    /// Stops the wallet. The hook refuses callbacks meanwhile, as the gateway would.
    pub(crate) async fn stop_wallet(&mut self) {
        self.hook.set_wallet(None);
        if let Some(running) = self.wallet.take() {
            assert!(running.stop().await, "the wallet drains");
        }
    }

    /// Refuses callbacks from now on, as a gateway that cannot reach the wallet.
    pub(crate) fn hold_callbacks(&self) {
        self.hook.set_wallet(None);
    }

    /// Accepts callbacks again. Refused callbacks stay lost.
    pub(crate) fn let_callbacks_in(&self) {
        self.hook.set_wallet(self.wallet.as_ref().map(|wallet| wallet.addr));
    }

    /// Sends the first callback that was refused again, and accepts callbacks from now on.
    pub(crate) async fn release_callback(&self) {
        self.let_callbacks_in();
        let (secret, body) =
            eventually("a callback", || async { self.callbacks().into_iter().next() }).await;
        assert!(self.call_back(&secret, body).await.is_success());
    }

    /// Advances the clock, and makes outbox rows due as if this time had passed.
    pub(crate) async fn wait(&self, by: Duration) {
        self.base.clock.advance(by);
        self.database.advance_outbox(by).await;
    }

    /// Advances the clock to this many seconds after the beginning of the test.
    pub(crate) async fn wait_until_age(&self, seconds: u64) {
        let target = testkit::BEGINNING + Duration::from_secs(seconds);
        let left = target - self.base.clock.now();
        self.wait(Duration::try_from(left).unwrap_or_default()).await;
    }

    /// Time since the beginning of the test, by its clock.
    pub(crate) fn age(&self) -> Duration {
        Duration::try_from(self.base.clock.now() - testkit::BEGINNING).unwrap()
    }

    /// Waits until the query at that age was sent, and the next one is planned.
    pub(crate) async fn until_queried_after(&self, payment: &str, seconds: u64) {
        let age = testkit::BEGINNING + Duration::from_secs(seconds);
        eventually("the next query is planned", || async {
            let due: Option<time::OffsetDateTime> = sqlx::query_scalar(
                "SELECT query_due_at FROM stk_push
                     WHERE payment_id = $1::uuid AND leased_until IS NULL",
            )
            .bind(payment)
            .fetch_optional(&self.pool)
            .await
            .unwrap()
            .flatten();
            due.filter(|due| *due > age).map(drop)
        })
        .await;
    }

    pub(crate) fn player(&self) -> Player {
        let (id, token) = self.tokens.player();
        Player { id, token }
    }

    /// What the wallet stores about a player, by section.
    pub(crate) async fn data_of(&self, player: &Player) -> testkit::Sections {
        let wallet = self.wallet.as_ref().expect("the wallet runs");
        testkit::player_data("svc-wallet", wallet.addr, player.id).await
    }

    /// Returns the player with a token that is valid now.
    pub(crate) fn renewed(&self, player: &Player) -> Player {
        Player { id: player.id, token: self.tokens.token(player.id) }
    }

    pub(crate) fn client(&self) -> WalletServiceClient<Upstream> {
        client_of(self.wallet.as_ref().expect("the wallet runs"))
    }

    /// A client of the second replica.
    pub(crate) fn replica_client(&self) -> WalletServiceClient<Upstream> {
        client_of(self.replica.as_ref().expect("the replica runs"))
    }

    /// Returns a client for withdrawals, of the second replica if `second` is set.
    pub(crate) fn payouts_of(&self, second: bool) -> PayoutServiceClient<Upstream> {
        let running = if second { &self.replica } else { &self.wallet };
        PayoutServiceClient::new(upstream_of(running.as_ref().expect("it runs")))
    }

    /// Returns a connection of another service, with its certificate.
    pub(crate) fn connect(&self, caller: &'static str) -> Outgoing {
        let wallet = self.wallet.as_ref().expect("the wallet runs");
        testkit::upstream(caller, "svc-wallet", wallet.addr)
    }

    /// A connection of an operator.
    pub(crate) fn connect_operator(&self, operator: &str) -> Outgoing {
        let wallet = self.wallet.as_ref().expect("the wallet runs");
        testkit::operator(operator, "svc-wallet", wallet.addr)
    }

    /// Returns a connection of another service to the second replica.
    pub(crate) fn connect_replica(&self, caller: &'static str) -> Outgoing {
        let replica = self.replica.as_ref().expect("the replica runs");
        testkit::upstream(caller, "svc-wallet", replica.addr)
    }

    /// Sets the reaction of the owner of [`PHONE`] to prompts, at once unless `script` has a delay.
    pub(crate) async fn phone(&self, script: Value) {
        let mut handset = json!({"delayMs": 0});
        handset.as_object_mut().unwrap().extend(script.as_object().unwrap().clone());
        let url = format!("http://{}/control/handsets/{PHONE}", self.sandbox.addr);
        let reply = self.http.put(url).json(&handset).send().await.unwrap();
        assert!(reply.status().is_success(), "{}", reply.text().await.unwrap());
    }

    /// Enters the PIN into the open prompt.
    pub(crate) async fn enter_pin(&self) {
        let url = format!("http://{}/control/handsets/{PHONE}/prompt", self.sandbox.addr);
        let act = json!({"action": "pin", "pin": "1234"});
        let reply = self.http.post(url).json(&act).send().await.unwrap();
        assert!(reply.status().is_success(), "{}", reply.text().await.unwrap());
    }

    /// Injects a fault into the sandbox.
    pub(crate) async fn fault(&self, fault: Value) {
        let url = format!("http://{}/control/faults", self.sandbox.addr);
        let reply = self.http.put(url).json(&fault).send().await.unwrap();
        assert!(reply.status().is_success(), "{}", reply.text().await.unwrap());
    }

    /// Removes all faults.
    pub(crate) async fn clear_faults(&self) {
        let url = format!("http://{}/control/faults", self.sandbox.addr);
        assert!(self.http.delete(url).send().await.unwrap().status().is_success());
    }

    /// Returns the number of calls that faults will still affect.
    pub(crate) async fn faults_left(&self) -> u64 {
        let url = format!("http://{}/control/faults", self.sandbox.addr);
        let faults: Value = self.http.get(url).send().await.unwrap().json().await.unwrap();
        faults.as_array().unwrap().iter().map(|fault| fault["count"].as_u64().unwrap()).sum()
    }

    /// Fetches an access token of Daraja, which cancels the wallet's token.
    pub(crate) async fn cancel_token(&self) {
        let DarajaArgs { daraja_base_url, daraja_consumer_key, daraja_consumer_secret, .. } =
            &self.args.daraja;
        let url = format!("{daraja_base_url}/oauth/v1/generate?grant_type=client_credentials");
        let (key, secret) =
            (daraja_consumer_key.expose_secret(), daraja_consumer_secret.expose_secret());
        let reply = self.http.get(url).basic_auth(key, Some(secret)).send().await.unwrap();
        assert!(reply.status().is_success());
    }

    /// The number of prompts that were sent.
    pub(crate) async fn prompts(&self) -> usize {
        let url = format!("http://{}/control/payments", self.sandbox.addr);
        let payments: Value = self.http.get(url).send().await.unwrap().json().await.unwrap();
        payments.as_array().unwrap().len()
    }

    /// Returns the money received by the sandbox's own book, in whole shillings.
    pub(crate) async fn bank_received(&self) -> u64 {
        let url = format!("http://{}/control/bank", self.sandbox.addr);
        let book: Value = self.http.get(url).send().await.unwrap().json().await.unwrap();
        book["received"]["amount"].as_u64().unwrap()
    }

    pub(crate) async fn method(&self, code: &str) -> String {
        let methods = self.client().list_payment_methods(ListPaymentMethodsRequest {}).await;
        let methods = methods.unwrap().into_inner().payment_methods;
        methods.into_iter().find(|method| method.code == code).unwrap().id
    }

    /// Builds a top-up by M-Pesa as the PWA sends it.
    pub(crate) async fn request(&self, shillings: i32, request_id: &str) -> TopUpRequest {
        TopUpRequest {
            request_id: request_id.to_owned(),
            payment_method_id: self.method("MPESA").await,
            amount: Some(Money::from_shillings(shillings).into()),
            mpesa_phone_number: Some("0712 345 678".to_owned()),
            beneficiary_id: None,
        }
    }

    pub(crate) async fn send(
        &self,
        player: &Player,
        request: TopUpRequest,
    ) -> Result<Payment, Status> {
        let reply = self.client().top_up(bearing(&player.token, request)).await?;
        Ok(reply.into_inner().payment.unwrap())
    }

    /// Tops up by M-Pesa; returns the payment's id.
    pub(crate) async fn top_up(&self, player: &Player, shillings: i32) -> String {
        let request_id = self.base.rng.uuid_v7(self.base.clock.now());
        let request = self.request(shillings, &request_id.to_string()).await;
        self.send(player, request).await.unwrap().payment_id
    }

    /// Tops a player's wallet up, and waits until the money is in it.
    pub(crate) async fn give(&self, player: &Player, shillings: i32) {
        self.phone(json!({"stk": "approve"})).await;
        let payment = self.top_up(player, shillings).await;
        self.until(player, &payment, PaymentStatus::Completed).await;
    }

    pub(crate) async fn payment(&self, player: &Player, id: &str) -> Result<Payment, Status> {
        let request = GetPaymentRequest { payment_id: id.to_owned() };
        let reply = self.client().get_payment(bearing(&player.token, request)).await?;
        Ok(reply.into_inner().payment.unwrap())
    }

    /// Waits until a payment has a status; returns the payment.
    pub(crate) async fn until(&self, player: &Player, id: &str, status: PaymentStatus) -> Payment {
        eventually(&format!("payment {status:?}"), || async {
            let payment = self.payment(player, id).await.unwrap();
            (payment.status() == status).then_some(payment)
        })
        .await
    }

    /// Waits until every outbox row is delivered, and with it every callback applied.
    pub(crate) async fn until_outbox_empty(&self) {
        eventually("an empty outbox", || async {
            let left: i64 = sqlx::query_scalar("SELECT count(*) FROM outbox")
                .fetch_one(&self.pool)
                .await
                .unwrap();
            (left == 0).then_some(())
        })
        .await;
    }

    /// Waits until an outbox row is put off ([`mesh::outbox::Delivery::Later`]).
    pub(crate) async fn until_put_off(&self) {
        eventually("an outbox row that was put off", || async {
            let put_off: i64 = sqlx::query_scalar(
                "SELECT count(*) FROM outbox
                 WHERE attempts = 0 AND NOT leased AND due_at > created_at",
            )
            .fetch_one(&self.pool)
            .await
            .unwrap();
            (put_off > 0).then_some(())
        })
        .await;
    }

    pub(crate) async fn balance(&self, player: &Player) -> Money {
        let request = bearing(&player.token, GetBalanceRequest {});
        let reply = self.client().get_balance(request).await.unwrap().into_inner();
        reply.balance.unwrap().into()
    }

    pub(crate) async fn history(&self, player: &Player) -> Vec<Transaction> {
        let request = bearing(&player.token, ListTransactionsRequest::default());
        self.client().list_transactions(request).await.unwrap().into_inner().transactions
    }

    /// The callbacks that reached the hook.
    pub(crate) fn callbacks(&self) -> Vec<SeenCallback> {
        self.hook.seen.lock().unwrap().clone()
    }

    /// Sends a callback to the hook; returns the reply's status.
    pub(crate) async fn call_back(&self, secret: &str, body: Vec<u8>) -> StatusCode {
        self.call_hook("stk", secret, body).await
    }

    /// Sends a callback to the hook of a kind; returns the reply's status.
    pub(crate) async fn call_hook(&self, kind: &str, secret: &str, body: Vec<u8>) -> StatusCode {
        let url = format!("http://{}/hooks/{kind}/{secret}", self.hook.addr);
        let status = self.http.post(url).body(body).send().await.unwrap().status();
        StatusCode::from_u16(status.as_u16()).unwrap()
    }

    /// Sends a callback under a payment's secret, which the wallet must accept.
    pub(crate) async fn send_callback(&self, secret: &CallbackSecret, body: &Value) {
        let status = self.call_back(&secret.text, body.to_string().into_bytes()).await;
        assert!(status.is_success(), "{status}");
    }

    /// Returns the sum of the postings on a house account, in cents.
    pub(crate) async fn house(&self, name: &str) -> i64 {
        sqlx::query_scalar(
            "SELECT coalesce(sum(amount_cents), 0)::bigint FROM posting
             WHERE account_id = house_account($1)",
        )
        .bind(name)
        .fetch_one(&self.pool)
        .await
        .unwrap()
    }

    /// Forwards a provider's callback, as the gateway does.
    pub(crate) async fn receive(
        &self,
        provider: Provider,
        (secret, signature): (&str, &str),
        body: Vec<u8>,
    ) -> Result<(), Status> {
        let wallet = self.wallet.as_ref().expect("the wallet runs").addr;
        let upstream = testkit::upstream("gateway", "svc-wallet", wallet);
        let request = ReceiveCallbackRequest {
            provider: provider.into(),
            secret: secret.to_owned(),
            body,
            source_ip: "127.0.0.1".to_owned(),
            signature: signature.to_owned(),
        };
        CallbackServiceClient::new(upstream).receive_callback(request).await.map(drop)
    }

    /// The outcomes of the callbacks, sorted.
    pub(crate) async fn outcomes(&self) -> Vec<String> {
        sqlx::query_scalar(
            "SELECT outcome FROM callback_inbox WHERE outcome IS NOT NULL ORDER BY outcome",
        )
        .fetch_all(&self.pool)
        .await
        .unwrap()
    }

    /// Whether a query about a payment is planned.
    pub(crate) async fn is_query_planned(&self, payment: &str) -> bool {
        sqlx::query_scalar(
            "SELECT query_due_at IS NOT NULL FROM stk_push WHERE payment_id = $1::uuid",
        )
        .bind(payment)
        .fetch_one(&self.pool)
        .await
        .unwrap()
    }

    /// Ends a test: checks that the ledger is consistent and the outbox empty.
    pub(crate) async fn finish(self) {
        self.until_outbox_empty().await;
        let broken: Vec<(String, String, String)> =
            sqlx::query_as(include_str!("../../proof.sql")).fetch_all(&self.pool).await.unwrap();
        assert!(broken.is_empty(), "the ledger is inconsistent: {broken:?}");
        if let Some(running) = self.wallet {
            assert!(running.stop().await, "the wallet drains");
        }
    }
}

fn client_of(running: &mesh::Running) -> WalletServiceClient<Upstream> {
    WalletServiceClient::new(upstream_of(running))
}

fn upstream_of(running: &mesh::Running) -> Upstream {
    let url = format!("https://{}", running.addr);
    testkit::base("gateway").upstream("svc-wallet", &url).unwrap()
}

/// The arguments for Daraja, which is the sandbox.
fn daraja_args(sandbox: SocketAddr, hook: SocketAddr, merchant: sandbox::Merchant) -> DarajaArgs {
    DarajaArgs {
        daraja_base_url: format!("http://{sandbox}/daraja"),
        daraja_consumer_key: merchant.consumer_key.into(),
        daraja_consumer_secret: merchant.consumer_secret.into(),
        daraja_short_code: merchant.short_code,
        daraja_passkey: merchant.passkey.into(),
        daraja_payout_short_code: None,
        daraja_initiator_name: merchant.initiator_name,
        daraja_initiator_password: merchant.initiator_password.into(),
        daraja_certificate: CertificateSource::Url(format!(
            "http://{sandbox}/mpesa/certificate.pem"
        )),
        callback_base_url: format!("http://{hook}"),
        daraja_timeout: Duration::from_secs(10),
        daraja_queries_per_second: 1000,
    }
}

/// Returns a message with a bearer token.
pub(crate) fn bearing<T>(token: &str, message: T) -> Request<T> {
    let mut request = Request::new(message);
    let value: MetadataValue<_> = format!("Bearer {token}").parse().unwrap();
    request.metadata_mut().insert("authorization", value);
    request
}

/// Returns a payment's text as a player reads it in English.
pub(crate) fn english(text: Option<&Text>) -> String {
    let Text { key, params } = text.expect("a payment has a text");
    let params = params.iter().map(|(name, value)| (&**name, &**value));
    mesh::texts::text(key, params, mesh::Language::English)
        .expect("a text of the catalogue")
        .into_owned()
}

/// The REASON of a refusal.
pub(crate) fn reason(status: &Status) -> String {
    mesh::Fault::from_status(status).reason.into_owned()
}

/// Serves the stub of svc-auth; returns its URL.
async fn serve_auth(tokens: &Tokens, directory: &Directory) -> String {
    let auth = tokens.routes().add_service(DirectoryServiceServer::new(directory.clone()));
    testkit::serve("svc-auth", auth).await
}

/// Opens a sandbox with an account of the test's own, because tests share a Redis, and a new token
/// cancels the account's last one.
async fn open_sandbox(base: &Base) -> (sandbox::Running, sandbox::Merchant) {
    let merchant = sandbox::Merchant {
        consumer_key: format!("test-{}", base.rng.uuid_v7(base.clock.now())),
        ..sandbox::Merchant::default()
    };
    let options = sandbox::Options {
        merchant: merchant.clone(),
        // The test's clock differs from the machine's.
        settings: sandbox::Settings { clock_skew_ms: None, ..sandbox::Settings::default() },
        ..sandbox::Options::default()
    };
    (sandbox::start(options).await.unwrap(), merchant)
}
