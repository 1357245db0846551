//! {{Nouns_words}}. The charter is in the README.

mod app;
mod config;
mod domain;
mod error;
mod rpc;
mod store;

use std::sync::Arc;

use mesh::{App, Base, Readiness, auth::Verifier, db, grpc};
use sqlx::migrate::Migrator;

use crate::app::Context;
pub use crate::{
    config::Config,
    error::{Error, Refused},
};

/// The schema this build expects.
static MIGRATOR: Migrator = sqlx::migrate!();

/// Builds the service: opens its database, and learns whom to believe.
pub async fn build(base: Base, config: Config) -> anyhow::Result<App> {
    let auth = grpc::client::connect(&config.auth.auth_url)?;
    let verifier = Verifier::remote(base.clock.clone(), auth, &base.shutdown);
    let pool = db::connect(base.name, &config.database_url, &config.pool, &MIGRATOR).await?;
    let cx = Arc::new(Context { db: pool.clone() });
    let ready: Readiness = Arc::new(move || {
        let pool = pool.clone();
        Box::pin(async move { db::ping(&pool).await })
    });
    Ok(App::grpc(grpc::server::guarded(rpc::routes(&cx), verifier), ready))
}
