//! Tournaments. The charter is in the README.

mod app;
mod config;
mod domain;
mod error;
mod rpc;
mod store;

use std::sync::Arc;

use mesh::{App, Base, Readiness, auth::Verifier, db, grpc};
use sqlx::migrate::Migrator;

use crate::app::Cx;
pub use config::Args;

/// The schema this build expects.
static MIGRATOR: Migrator = sqlx::migrate!();

/// Builds the service from its arguments; tests and `main` alike.
pub async fn build(base: Base, args: Args) -> anyhow::Result<App> {
    let auth = grpc::client::connect(&args.auth.auth_url)?;
    let verifier = Verifier::remote(base.clock.clone(), auth, &base.shutdown);
    let pool = db::connect(base.name, &args.database_url, &args.pool, &MIGRATOR).await?;
    let cx = Cx { pool: pool.clone(), clock: base.clock };
    let ready: Readiness = Arc::new(move || {
        let pool = pool.clone();
        Box::pin(async move { db::ping(&pool).await })
    });
    Ok(App::grpc(grpc::server::guarded(rpc::routes(cx), verifier), ready))
}
