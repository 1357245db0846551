//! svc-wallet: players' money. Its README says what it owns and promises.
//!
//! ```text
//! rpc ─► app ─► domain          jobs ─► app
//!         ├───► store ─► domain
//!         └───► clients
//! ```

mod app;
mod clients;
mod config;
mod document;
mod domain;
mod error;
mod jobs;
mod rpc;
mod store;

use mesh::{
    App, Base,
    auth::{MacKey, Verifier},
    batch::Batcher,
    cache::Cache,
    db,
    outbox::OutboxNotifier,
    pubsub::PubSub,
};

use crate::{
    app::{Cx, Inner},
    clients::{
        carrier::Carrier, daraja::Daraja, notifications::Notifications, paystack::Paystack,
        players::Players,
    },
};
pub use config::{
    Args, CarrierArgs, CertificateSource, DarajaArgs, PaystackArgs, PromptLimitArgs, WithdrawalArgs,
};

/// The schema that this build expects.
static MIGRATOR: sqlx::migrate::Migrator = sqlx::migrate!();

/// Builds the service from its arguments; `main` and the tests call it.
pub async fn build(base: Base, args: Args) -> anyhow::Result<App> {
    let owner = args.owner_database_url.as_ref();
    let pools =
        db::connect(base.name, &args.database_url, owner, &args.database, &MIGRATOR).await?;
    let auth = base.upstream("svc-auth", &args.auth.auth_url)?;
    let chat = base.upstream("svc-chat", &args.chat_url)?;
    let Base { clock, rng, shutdown, .. } = base;
    let verifier = Verifier::remote(clock.clone(), auth.clone(), &shutdown);
    let cache = Cache::new(&args.redis_url)?;
    let readiness = pools.readiness();
    let transfers = app::Transfers { db: pools.calls.clone(), clock: clock.clone() };
    let cx = Cx::new(
        pools,
        Inner {
            clock: clock.clone(),
            rng,
            shutdown: shutdown.clone(),
            pubsub: PubSub::start(&args.redis_url, app::PAYMENT_CHANNELS, &shutdown)?,
            outbox: OutboxNotifier::default(),
            callback_key: MacKey::of(&args.daraja.daraja_consumer_secret),
            daraja: Daraja::new(args.daraja, cache, clock.clone())?,
            card_expiry: args.paystack.card_payment_expiry,
            paystack: Paystack::new(args.paystack)?,
            carrier: Carrier::new(args.carrier, clock.clone())?,
            players: Players::new(auth, clock),
            methods: app::Methods::default(),
            transfers: Batcher::new(transfers, shutdown.clone()),
            notifications: Notifications::new(chat, shutdown.clone()),
            payment_expiry: args.payment_expiry,
            confirm_from: args.confirm_from,
            prompt_limit: args.prompt_limit.into(),
            withdrawal_fees: args.withdrawals.fees(),
            review_rules: args.withdrawals.review_rules(),
            taxes: args.taxes,
            awards_an_hour: args.awards_an_hour,
            balance_tolerance: args.balance_tolerance,
            inbox_retention: args.inbox_retention,
            phone_retention: args.phone_retention,
        },
    );
    jobs::start(&cx.for_jobs(), &shutdown);
    Ok(App::grpc(rpc::routes(cx), verifier, readiness))
}
