//! Identity and the player: who may come in, by what, for how long; and what
//! each player tells of themselves. The charter is in the README.

mod app;
mod config;
mod crypto;
mod domain;
mod error;
mod jobs;
mod rpc;
mod store;

use std::sync::Arc;

use mesh::{App, Base, Readiness, auth::Verifier, db, grpc::server::guarded};
use sqlx::migrate::Migrator;

use crate::app::Context;
pub use crate::{
    config::Config,
    domain::FieldError,
    error::{Error, Refused},
};

/// The schema this build expects.
static MIGRATOR: Migrator = sqlx::migrate!();

/// Builds the service: judges its configuration, opens its database, starts its
/// jobs.
pub async fn build(base: Base, config: Config) -> anyhow::Result<App> {
    let judged = config.judge(&base.chance)?;
    // Its own keys: asking itself over the wire would be a call to nobody.
    let verifier = Verifier::fixed(base.clock.clone(), judged.access.jwks_json())?;
    let pool = db::connect(base.name, &config.database_url, &config.pool, &MIGRATOR).await?;
    let cx = Arc::new(Context::new(&base, pool.clone(), judged));
    jobs::start(&cx, &base.shutdown);
    let ready: Readiness = Arc::new(move || {
        let pool = pool.clone();
        Box::pin(async move { db::ping(&pool).await })
    });
    Ok(App::grpc(guarded(rpc::routes(&cx), verifier), ready))
}
