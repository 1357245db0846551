//! Prepares the scenarios on large data.

use std::time::Duration;

use anyhow::{Context as _, Result};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use http::HeaderValue;

use crate::{
    address::Target,
    argon2,
    client::Connection,
    config::Plan,
    dataset::{
        load::{load_auth, load_wallet},
        players::{Dataset, email},
    },
    session::{self, Session},
};

/// Loads the data set unless it is there; returns how long that took.
pub(crate) async fn load(plan: &Plan) -> Result<Option<Duration>> {
    plan.dataset.check()?;
    let superuser = plan.bench_database_url.as_ref().context("BENCH_DATABASE_URL is not set")?;
    let wallet = plan.wallet_database_url.as_ref().context("WALLET_DATABASE_URL is not set")?;
    let auth = plan.auth_database_url.as_ref().context("AUTH_DATABASE_URL is not set")?;
    let hash = argon2::hash(plan.hash_cost)?;
    let in_auth = load_auth(&superuser.options_for(auth)?, plan.dataset, &hash).await?;
    let in_wallet = load_wallet(&superuser.options_for(wallet)?, plan.dataset).await?;
    Ok(match (in_auth, in_wallet) {
        (None, None) => None,
        (in_auth, in_wallet) => Some(in_auth.unwrap_or_default() + in_wallet.unwrap_or_default()),
    })
}

/// Loads the players of the data set into svc-auth, unless they are there.
pub(crate) async fn load_players(plan: &Plan) -> Result<()> {
    plan.dataset.check()?;
    let superuser = plan.bench_database_url.as_ref().context("BENCH_DATABASE_URL is not set")?;
    let auth = plan.auth_database_url.as_ref().context("AUTH_DATABASE_URL is not set")?;
    let hash = argon2::hash(plan.hash_cost)?;
    load_auth(&superuser.options_for(auth)?, plan.dataset, &hash).await?;
    Ok(())
}

/// Signs in the players of the data set that have a password, as many at a time as there are cores,
/// because each sign-in costs svc-auth a password hash; returns the `Authorization` headers.
pub(crate) async fn sign_in_readers(target: Target, dataset: Dataset) -> Result<Vec<HeaderValue>> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    stream::iter(dataset.readers())
        .map(|index| async move {
            let request = session::sign_in(&email(index))?;
            let session: Session = Connection::new(target).call_api(request).await?;
            session.bearer()
        })
        .buffered(cores)
        .try_collect()
        .await
}
