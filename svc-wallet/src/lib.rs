//! svc-wallet: players' money. What it owns and promises is in its README.
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

use std::sync::Arc;

use mesh::{
    App, Base, auth::Verifier, cache::Cache, db, grpc, outbox::OutboxNotifier, pubsub::PubSub,
};
use proto::wallet::v1::{
    callback_service_server::CallbackServiceServer, wallet_service_server::WalletServiceServer,
};
use tonic::service::Routes;

use crate::{
    app::{Cx, Inner},
    clients::{daraja::Daraja, players::Players},
};
pub use config::{Args, DarajaArgs, PatienceArgs};

/// The schema this build expects.
static MIGRATOR: sqlx::migrate::Migrator = sqlx::migrate!();

/// Builds the service from its arguments; tests and `main` alike.
pub async fn build(base: Base, args: Args) -> anyhow::Result<App> {
    let Base { name, clock, rng, shutdown } = base;
    let pool = db::connect(name, &args.database_url, &args.pool, &MIGRATOR).await?;
    let auth = grpc::client::connect(&args.auth.auth_url)?;
    let verifier = Verifier::remote(clock.clone(), auth.clone(), &shutdown);
    let cache = Cache::new(&args.redis_url)?;
    let cx = Cx::new(Inner {
        pool: pool.clone(),
        clock: clock.clone(),
        rng,
        shutdown: shutdown.clone(),
        live: Live::start(&args.redis_url, app::LIVE_PATTERN, &shutdown)?,
        outbox: OutboxNotifier::default(),
        daraja: Daraja::new(args.daraja, cache, clock)?,
        players: Players::new(auth),
        payment_expiry: args.payment_expiry,
        confirm_from: args.confirm_from,
        patience: args.patience.into(),
        inbox_retention: args.inbox_retention,
    });
    jobs::start(&cx, &shutdown);

    let mut routes = Routes::builder();
    routes
        .add_service(WalletServiceServer::new(rpc::Wallet::new(cx.clone())))
        .add_service(CallbackServiceServer::new(rpc::Callbacks::new(cx)));
    let routes = grpc::server::guarded(routes.routes(), verifier);
    Ok(App::grpc(
        routes,
        Arc::new(move || {
            let pool = pool.clone();
            Box::pin(async move { db::ping(&pool).await })
        }),
    ))
}
