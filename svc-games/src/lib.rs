//! svc-games: the games that can be played. What it owns and promises is in its README.
//!
//! ```text
//! rpc, jobs ─► app ─► store, clients, proof ─► domain
//! ```

mod app;
mod clients;
mod config;
mod domain;
mod error;
mod jobs;
mod proof;
mod rpc;
mod store;

use mesh::{App, Base, auth::Verifier, db, grpc::erased_players::ErasedPlayers};
use sqlx::migrate::Migrator;

use crate::{app::Cx, clients::tournaments::Tournaments};
pub use config::Args;

/// The schema that this build expects.
static MIGRATOR: Migrator = sqlx::migrate!();

/// Builds the service from its arguments, for `main` and for tests.
pub async fn build(base: Base, args: Args) -> anyhow::Result<App> {
    let owner = args.owner_database_url.as_ref();
    let pools =
        db::connect(base.name, &args.database_url, owner, &args.database, &MIGRATOR).await?;
    let auth = base.upstream("svc-auth", &args.auth.auth_url)?;
    let verifier = Verifier::remote(base.clock.clone(), auth.clone(), &base.shutdown);
    let tournament = base.upstream("svc-tournament", &args.tournament_url)?;
    let cx = Cx::new(&base, &pools, Tournaments::new(tournament), ErasedPlayers::new(auth));
    jobs::start(&cx.for_jobs(), &base.shutdown);
    Ok(App::grpc(rpc::routes(cx), verifier, pools.readiness()))
}
