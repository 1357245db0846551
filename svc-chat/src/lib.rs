//! svc-chat: chat rooms, and the notifications that services send to players. What it owns and promises is in its README.
//!
//! ```text
//! rpc ─► app ─► store ─► domain          jobs ─► app
//! ```

mod app;
mod config;
mod domain;
mod error;
mod jobs;
mod rpc;
mod store;

use mesh::{App, Base, auth::Verifier, db, pubsub::PubSub};
use sqlx::migrate::Migrator;

use crate::app::{Cx, Inner, NOTIFICATION_CHANNELS};
pub use config::Args;

/// The schema that this build expects.
static MIGRATOR: Migrator = sqlx::migrate!();

/// Builds the service from its arguments, for `main` and for tests.
pub async fn build(base: Base, args: Args) -> anyhow::Result<App> {
    let owner = args.owner_database_url.as_ref();
    let pools =
        db::connect(base.name, &args.database_url, owner, &args.database, &MIGRATOR).await?;
    let auth = base.upstream("svc-auth", &args.auth.auth_url)?;
    let Base { clock, rng, shutdown, .. } = base;
    let verifier = Verifier::remote(clock.clone(), auth, &shutdown);
    let cx = Cx::new(
        &pools,
        Inner {
            clock,
            rng,
            pubsub: PubSub::start(&args.redis_url, NOTIFICATION_CHANNELS, &shutdown)?,
            shutdown: shutdown.clone(),
            notification_retention: args.notification_retention,
        },
    );
    jobs::start(&cx.for_jobs(), &shutdown);
    Ok(App::grpc(rpc::routes(cx), verifier, pools.readiness()))
}
