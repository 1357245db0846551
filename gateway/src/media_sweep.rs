//! Deletes pictures that no profile has (from uploads that failed halfway, replaced pictures, and
//! deleted accounts), and files that no message has (from messages that were not sent, were
//! removed, or are past their retention).

use std::{collections::HashSet, pin::pin, time::Duration};

use anyhow::ensure;
use futures_util::TryStreamExt as _;
use mesh::{Fault, call::Call, instrument};
use proto::{auth::v1::FindUnusedPicturesRequest, chat::v1::FindUnusedMediaRequest};
use tracing::info;

use crate::{
    Gateway,
    media::{MediaPath, Shelf},
};

/// Younger files may belong to an upload, or to a message, that is not finished.
const MIN_AGE: Duration = Duration::from_hours(24);
/// Most files of one call.
const BATCH: usize = 1_000;
/// In a batch of this size or more, at most half of the files may be called unused. Few files ever
/// are, because a replaced picture is deleted at once, and most messages stay; a higher share means
/// that the service has an empty or an old database, and the files are in use.
const CHECKED_BATCH: usize = 20;
/// Longest that a call may take.
const CALL_LIMIT: Duration = Duration::from_secs(15);

/// Sweeps once in each interval, until the stop. Replicas with the same store all sweep; the later
/// ones find nothing.
pub(crate) fn sweep_daily(gateway: &Gateway) {
    let gateway = gateway.clone();
    let (shutdown, interval) = (gateway.shutdown().clone(), gateway.args().media.media_sweep);
    shutdown.clone().spawn("media sweep", async move {
        // The first sweep comes soon after the start, because a replica may not run for a whole
        // day.
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
                Ok(deleted) => info!(deleted, "unused media were deleted"),
                // `failure` logs it; the next sweep finds what this one left.
                Err(error) => drop(Fault::failure(&error.context("sweep media"))),
            }
            pause = interval;
        }
    });
}

/// Deletes the files that are unused now; returns how many.
async fn sweep(gateway: &Gateway) -> anyhow::Result<usize> {
    // Both shelves are swept, even if the service of one cannot be asked.
    let (pictures, media) =
        (sweep_shelf(gateway, Shelf::Profile).await, sweep_shelf(gateway, Shelf::Chat).await);
    Ok(pictures? + media?)
}

#[instrument(name = "media.sweep", skip_all, fields(shelf = shelf.as_str()))]
async fn sweep_shelf(gateway: &Gateway, shelf: Shelf) -> anyhow::Result<usize> {
    let stored_before = gateway.clock().now() - MIN_AGE;
    let store = gateway.media();
    let old = store.list(shelf).try_filter_map(|(path, stored_at)| async move {
        Ok((stored_at < stored_before.unix_timestamp()).then_some(path))
    });
    let mut files = pin!(old);
    let mut deleted = 0;
    let mut batch = Vec::new();
    while let Some(path) = files.try_next().await? {
        batch.push(path);
        if batch.len() == BATCH {
            deleted += delete_unused(gateway, shelf, &std::mem::take(&mut batch)).await?;
        }
    }
    Ok(deleted + delete_unused(gateway, shelf, &batch).await?)
}

async fn delete_unused(
    gateway: &Gateway,
    shelf: Shelf,
    files: &[MediaPath],
) -> anyhow::Result<usize> {
    if files.is_empty() {
        return Ok(0);
    }
    // A thumbnail is in use as long as its picture is.
    let mut urls: Vec<_> = files.iter().map(|file| file.original().url()).collect();
    urls.sort_unstable();
    urls.dedup();
    let unused = find_unused(gateway, shelf, urls).await?;
    // Only files of this batch are deleted, whatever the reply contains.
    let unused: Vec<_> =
        files.iter().filter(|file| unused.contains(&file.original().url())).collect();
    ensure!(
        files.len() < CHECKED_BATCH || unused.len() <= files.len() / 2,
        "{} of {} files of {} are called unused: is the service's database the right one?",
        unused.len(),
        files.len(),
        shelf.as_str()
    );
    for file in &unused {
        gateway.media().delete(file).await?;
    }
    Ok(unused.len())
}

/// The URLs among these that no profile, or no message, has.
async fn find_unused(
    gateway: &Gateway,
    shelf: Shelf,
    urls: Vec<String>,
) -> anyhow::Result<HashSet<String>> {
    let call = Call::new(CALL_LIMIT, None);
    let unused = match shelf {
        Shelf::Profile => {
            let mut service = gateway.upstreams().pictures();
            let ask = service.find_unused_pictures(FindUnusedPicturesRequest { urls });
            call.run(ask).await?.into_inner().urls
        }
        Shelf::Chat => {
            let mut service = gateway.upstreams().chat_media();
            let ask = service.find_unused_media(FindUnusedMediaRequest { urls });
            call.run(ask).await?.into_inner().urls
        }
    };
    Ok(unused.into_iter().collect())
}
