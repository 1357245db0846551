//! Deletes pictures that no profile has: of uploads that failed halfway, of replaced
//! pictures, and of deleted accounts.

use std::{pin::pin, time::Duration};

use anyhow::ensure;
use futures_util::TryStreamExt as _;
use mesh::{Fault, call::Call, instrument};
use proto::auth::v1::FindUnusedPicturesRequest;
use tracing::info;

use super::path::{MediaPath, Shelf};
use crate::Gateway;

/// Younger pictures may belong to an upload that is not finished.
const MIN_AGE: Duration = Duration::from_hours(24);
/// Most pictures of one call to svc-auth.
const BATCH: usize = 1_000;
/// Of a batch of this size or more, svc-auth may call at most half unused. A replaced
/// picture is deleted at once, so few are ever left; a higher share means that svc-auth
/// has an empty or an old database, and the pictures are in use.
const CHECKED_BATCH: usize = 20;
/// Longest that a call to svc-auth may take.
const CALL_LIMIT: Duration = Duration::from_secs(15);

/// Sweeps once in each interval, until the stop. Replicas with the same store all do it;
/// the later ones find nothing.
pub(crate) fn sweep_daily(gateway: &Gateway) {
    let gateway = gateway.clone();
    let (shutdown, interval) = (gateway.shutdown().clone(), gateway.args().media.media_sweep);
    shutdown.clone().spawn("media sweep", async move {
        // The first soon after the start, because a replica may not run for a whole day.
        let mut pause = gateway.rng().jitter(interval / 24);
        loop {
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = shutdown.stopping() => return,
            }
            let swept = tokio::select! {
                swept = sweep(&gateway) => swept,
                () = shutdown.stopping() => return,
            };
            match swept {
                Ok(0) => {}
                Ok(deleted) => info!(deleted, "unused pictures were deleted"),
                // `failure` logs it; the next sweep finds what this one left.
                Err(error) => drop(Fault::failure(&error.context("sweep pictures"))),
            }
            pause = interval;
        }
    });
}

/// Deletes the pictures that are unused now; returns how many.
#[instrument(name = "media.sweep", skip_all)]
async fn sweep(gateway: &Gateway) -> anyhow::Result<usize> {
    let stored_before = gateway.clock().now() - MIN_AGE;
    let store = gateway.media();
    let old = store.list(Shelf::Profile).try_filter_map(|(path, stored_at)| async move {
        Ok((stored_at < stored_before.unix_timestamp()).then_some(path))
    });
    let mut pictures = pin!(old);
    let mut deleted = 0;
    let mut batch = Vec::new();
    while let Some(path) = pictures.try_next().await? {
        batch.push(path);
        if batch.len() == BATCH {
            deleted += delete_unused(gateway, &std::mem::take(&mut batch)).await?;
        }
    }
    Ok(deleted + delete_unused(gateway, &batch).await?)
}

async fn delete_unused(gateway: &Gateway, pictures: &[MediaPath]) -> anyhow::Result<usize> {
    if pictures.is_empty() {
        return Ok(0);
    }
    let request = FindUnusedPicturesRequest { urls: pictures.iter().map(MediaPath::url).collect() };
    let mut service = gateway.upstreams().pictures();
    let call = async { service.find_unused_pictures(request).await };
    let unused = Call::new(CALL_LIMIT, None).run(call).await?.into_inner().urls;
    // Only pictures of this batch, whatever the reply contains.
    let unused_here = pictures.iter().filter(|picture| unused.contains(&picture.url()));
    let unused: Vec<_> = unused_here.collect();
    ensure!(
        pictures.len() < CHECKED_BATCH || unused.len() <= pictures.len() / 2,
        "svc-auth calls {} of {} pictures unused: is its database the right one?",
        unused.len(),
        pictures.len()
    );
    for picture in &unused {
        gateway.media().delete(picture).await?;
    }
    Ok(unused.len())
}
