//! Players' reports and blocks, and the rules that limit what they send.

use std::time::Duration;

use mesh::instrument;
use tracing::{Instrument as _, warn};
use types::{PlayerId, SlidingWindow};

use super::{Cx, find_room::find_room};
use crate::{
    domain::{BLOCKED_MAX, NewReport, ReportId, SendingRules},
    error::{Error, Refused},
    store,
};

/// Reports of one player in a period.
const REPORTS: u32 = 20;
const REPORT_PERIOD: Duration = Duration::from_hours(1);

/// Stores the player's report with the message as it is now. A repeat changes nothing, also after
/// the message was removed.
#[instrument(name = "chat.report_message", skip_all, fields(player.id = %player, message.id = %new.message))]
pub(crate) async fn report_message(
    cx: &Cx,
    player: PlayerId,
    new: &NewReport,
) -> Result<(), Error> {
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    store::safety::lock_player(&mut tx, player).await?;
    if store::safety::has_reported(&mut tx, player, new.message).await? {
        return Ok(());
    }
    let since = now - REPORT_PERIOD;
    let times = store::safety::reported_since(&mut tx, player, since, REPORTS).await?;
    let window = SlidingWindow::new(REPORTS as usize, REPORT_PERIOD);
    window.record(&times, now).map_err(Refused::SendingTooFast)?;
    let id = ReportId::generate(&cx.clock, &cx.rng);
    if !store::safety::report(&mut tx, id, player, new, now).await? {
        return Err(Refused::MessageNotFound.into());
    }
    tx.commit().await?;
    Ok(())
}

/// Hides another player's messages from the player.
#[instrument(name = "chat.block_player", skip_all, fields(player.id = %player))]
pub(crate) async fn block_player(cx: &Cx, player: PlayerId, other: PlayerId) -> Result<(), Error> {
    if player == other {
        return Err(Refused::BlockedSelf.into());
    }
    let mut tx = cx.db.begin().await?;
    store::safety::lock_player(&mut tx, player).await?;
    let blocked = store::safety::blocked(&mut tx, player).await?;
    if blocked.contains(&other) {
        return Ok(());
    }
    if blocked.len() >= BLOCKED_MAX {
        return Err(Refused::TooManyBlocked.into());
    }
    store::safety::block(&mut tx, player, other, cx.clock.now()).await?;
    tx.commit().await?;
    publish_blocks_changed(cx, player);
    Ok(())
}

/// Shows another player's messages to the player again.
#[instrument(name = "chat.unblock_player", skip_all, fields(player.id = %player))]
pub(crate) async fn unblock_player(
    cx: &Cx,
    player: PlayerId,
    other: PlayerId,
) -> Result<(), Error> {
    let mut conn = cx.db.acquire().await?;
    if store::safety::unblock(&mut conn, player, other).await? {
        publish_blocks_changed(cx, player);
    }
    Ok(())
}

/// The players whom the player blocked, the newest first.
#[instrument(name = "chat.list_blocked_players", skip_all, fields(player.id = %player))]
pub(crate) async fn list_blocked_players(
    cx: &Cx,
    player: PlayerId,
) -> Result<Vec<PlayerId>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::safety::blocked(&mut conn, player).await?)
}

/// The rules that keep the player from sending in a room.
#[instrument(name = "chat.sending_rules", skip_all, fields(player.id = %player))]
pub(crate) async fn sending_rules(
    cx: &Cx,
    player: PlayerId,
    room: &str,
) -> Result<SendingRules, Error> {
    let room = find_room(cx, room).await?;
    let mut conn = cx.db.acquire().await?;
    Ok(store::safety::rules(&mut conn, room, player).await?)
}

/// The channel on which blocks and unblocks are published to the player's streams.
pub(super) fn blocks_channel(player: PlayerId) -> String {
    format!("chat.blocks.{player}")
}

/// Publishes that the player's blocks changed. Call it after the commit. If the hint is lost, open
/// streams keep the old blocks; pages and the next stream have the change.
fn publish_blocks_changed(cx: &Cx, player: PlayerId) {
    let pubsub = cx.pubsub.clone();
    let publishing = async move {
        if let Err(error) = pubsub.publish(&blocks_channel(player), "").await {
            warn!(error = format!("{error:#}"), "cannot publish that a player blocked another");
        }
    };
    cx.shutdown.spawn_contained("publish blocks change", publishing.in_current_span());
}
