//! Removes messages that are past their retention, and those of rooms that were removed.

use std::time::Duration;

use mesh::{instrument, jobs::Round};

use super::Cx;
use crate::{error::Error, store};

/// Rows that one round removes at most.
const BATCH: u32 = 500;

/// How long the messages of a removed room are kept, in case the room is opened again.
const REMOVED_ROOM_RETENTION: Duration = Duration::from_hours(30 * 24);

/// Removes a batch of old messages. The rooms' numbering continues. The messages' files are deleted
/// by the next sweep of media.
#[instrument(name = "chat.sweep_messages", skip_all)]
pub(crate) async fn sweep_messages(cx: &Cx) -> Result<Round, Error> {
    let mut conn = cx.db.acquire().await?;
    let now = cx.clock.now();
    let removed = store::message::delete_old(&mut conn, now - cx.message_retention, BATCH).await?;
    let of_rooms =
        store::message::delete_of_removed_room(&mut conn, now - REMOVED_ROOM_RETENTION, BATCH);
    let of_rooms = of_rooms.await?;
    Ok(Round::of_batch(removed.max(of_rooms), BATCH.into()))
}
