//! Collects a player's copy, service by service, and notifies the player.

use futures_util::{
    TryStreamExt as _,
    stream::{BoxStream, TryChunksError},
};
use mesh::{
    grpc::player_data::{PlayerRecord, begin, stream_records},
    instrument,
    outbox::{self, Delivery, Event},
};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use types::PlayerId;

use super::Cx;
use crate::{
    domain::{DataCopy, Source},
    error::Error,
    store,
};

/// A service is to be asked for its records about a player.
pub(crate) const COLLECT_TOPIC: &str = "data_copy.collect";
/// A player's copy is complete.
pub(crate) const COPY_READY_TOPIC: &str = "notify.data_copy";

/// Records that are stored at once.
const PART: usize = 100;

/// The payload of an outbox row of [`COLLECT_TOPIC`].
#[derive(Serialize, Deserialize)]
pub(super) struct Collect {
    pub(super) player: PlayerId,
    /// The name of a [`Source`].
    pub(super) service: String,
}

/// The payload of an outbox row of [`COPY_READY_TOPIC`].
#[derive(Serialize, Deserialize)]
struct CopyReady {
    player: PlayerId,
    #[serde(with = "time::serde::rfc3339")]
    at: OffsetDateTime,
}

/// Adds the records of one service to a copy, once, whatever is repeated. A copy that has expired,
/// or whose player was erased, gets none.
#[instrument(name = "auth.collect_data_copy", skip_all)]
pub(crate) async fn collect_data_copy(cx: &Cx, event: Event) -> Result<Delivery, Error> {
    let Collect { player, service } = event.payload()?;
    let source: Source = service.parse().map_err(anyhow::Error::from)?;
    let mut tx = cx.db.begin().await?;
    if !store::data_copy::lacks(&mut tx, player, source).await? {
        return Ok(Delivery::Done);
    }
    let records = match cx.data_sources.list(source, player).await? {
        Some(records) => records,
        None => own_records(cx, player),
    };
    let mut parts = records.try_chunks(PART);
    let mut place = 0;
    while let Some(part) = parts.try_next().await.map_err(|TryChunksError(_, error)| error)? {
        place = store::data_copy::add(&mut tx, player, source, place, part).await?;
    }
    let now = cx.clock.now();
    let expires_at = DataCopy::expiry(now);
    let complete = store::data_copy::end_source(&mut tx, player, source, now, expires_at).await?;
    if complete {
        let ready = CopyReady { player, at: now };
        outbox::put(&mut tx, &cx.clock, &cx.rng, COPY_READY_TOPIC, &ready).await?;
    }
    tx.commit().await?;
    if complete {
        cx.outbox.notify(COPY_READY_TOPIC);
    }
    Ok(Delivery::Done)
}

/// The records of this service.
fn own_records(cx: &Cx, player: PlayerId) -> BoxStream<'static, anyhow::Result<PlayerRecord>> {
    let cx = cx.clone();
    stream_records(|records| async move {
        let mut tx = begin(&cx.db).await?;
        Ok(store::player_data::list(&mut tx, player, &records).await?)
    })
}

/// Sends the notification of an outbox row. It is sent once: svc-chat knows it by the row's id.
#[instrument(name = "auth.notify_copy_ready", skip_all)]
pub(crate) async fn notify_copy_ready(cx: &Cx, event: Event) -> Result<Delivery, Error> {
    let CopyReady { player, at } = event.payload()?;
    let source = format!("data-copy/{}", event.id);
    cx.notifications.notify_copy_ready(source, player, at).await?;
    Ok(Delivery::Done)
}
