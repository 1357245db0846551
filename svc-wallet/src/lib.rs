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
mod domain;
mod error;
mod jobs;
mod rpc;
mod store;

use mesh::{App, Base, auth::Verifier, cache::Cache, db, outbox::OutboxNotifier, pubsub::PubSub};

use crate::{
    app::{Cx, Inner},
    clients::{daraja::Daraja, notifications::Notifications, players::Players},
};
pub use config::{Args, DarajaArgs, PromptLimitArgs};

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
    let cx = Cx::new(
        pools,
        Inner {
            clock: clock.clone(),
            rng,
            shutdown: shutdown.clone(),
            pubsub: PubSub::start(&args.redis_url, app::PAYMENT_CHANNELS, &shutdown)?,
            outbox: OutboxNotifier::default(),
            daraja: Daraja::new(args.daraja, cache, clock)?,
            players: Players::new(auth),
            notifications: Notifications::new(chat),
            payment_expiry: args.payment_expiry,
            confirm_from: args.confirm_from,
            prompt_limit: args.prompt_limit.into(),
            inbox_retention: args.inbox_retention,
        },
    );
    jobs::start(&cx.for_jobs(), &shutdown);
    Ok(App::grpc(rpc::routes(cx), verifier, readiness))
}
