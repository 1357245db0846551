//! Deletes pictures that no profile has: kept by an upload that broke off, or left
//! behind by the next picture or by a player.

use std::{pin::pin, time::Duration};

use anyhow::ensure;
use futures_util::TryStreamExt as _;
use mesh::{Fault, call::Call};
use proto::auth::v1::FindUnusedPicturesRequest;
use tracing::{info, instrument};

use super::path::{MediaPath, Shelf};
use crate::Gateway;

/// Younger ones may be on their way to a profile.
const SETTLED: Duration = Duration::from_hours(24);
/// As many as svc-auth looks at in one call.
const BATCH: usize = 1_000;
/// From so many pictures on, most of them cannot be nobody's: each one that is replaced
/// is deleted then, so few are ever left. An svc-auth that says otherwise has an empty
/// database, or last week's, and no player should lose a face by it.
const MANY: usize = 20;
/// Longest that svc-auth may take for it.
const ASK_LIMIT: Duration = Duration::from_secs(15);

/// Sweeps once in each interval, until the stop. Replicas that sweep the same store
/// only find less to do.
pub(crate) fn sweep_daily(gateway: &Gateway) {
    let gateway = gateway.clone();
    let (shutdown, interval) = (gateway.shutdown().clone(), gateway.args().media.media_sweep);
    shutdown.clone().spawn("media sweep", async move {
        // Soon after the start, because a replica may not live for a day.
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
                Ok(deleted) => info!(deleted, "pictures of nobody were deleted"),
                // Logged by this; the next one finds what this one left.
                Err(error) => drop(Fault::failure(&error.context("sweep pictures"))),
            }
            pause = interval;
        }
    });
}

/// Deletes what is unused now, and says how much it was.
#[instrument(name = "media.sweep", skip_all)]
async fn sweep(gateway: &Gateway) -> anyhow::Result<usize> {
    let settled = gateway.clock().now() - SETTLED;
    let store = gateway.media();
    let settled_ones = store.list(Shelf::Profile).try_filter_map(|(path, kept_at)| async move {
        Ok((kept_at < settled.unix_timestamp()).then_some(path))
    });
    let mut pictures = pin!(settled_ones);
    let mut deleted = 0;
    let mut batch = Vec::new();
    while let Some(path) = pictures.try_next().await? {
        batch.push(path);
        if batch.len() == BATCH {
            deleted += sort_out(gateway, &std::mem::take(&mut batch)).await?;
        }
    }
    Ok(deleted + sort_out(gateway, &batch).await?)
}

async fn sort_out(gateway: &Gateway, pictures: &[MediaPath]) -> anyhow::Result<usize> {
    if pictures.is_empty() {
        return Ok(0);
    }
    let request = FindUnusedPicturesRequest { urls: pictures.iter().map(MediaPath::url).collect() };
    let mut players = gateway.upstreams().players();
    let ask = async { players.find_unused_pictures(request).await };
    let unused = Call::new(ASK_LIMIT, None).run(ask).await?.into_inner().urls;
    // Only what was asked about, whatever the answer says.
    let asked = pictures.iter().filter(|picture| unused.contains(&picture.url()));
    let unused: Vec<_> = asked.collect();
    ensure!(
        pictures.len() < MANY || unused.len() <= pictures.len() / 2,
        "svc-auth calls {} of {} pictures unused: is its database the right one?",
        unused.len(),
        pictures.len()
    );
    for picture in &unused {
        gateway.media().delete(picture).await?;
    }
    Ok(unused.len())
}
