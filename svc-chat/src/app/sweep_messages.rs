//! Removes messages that are past their retention.

use mesh::{instrument, jobs::Round};

use super::Cx;
use crate::{error::Error, store};

/// Rows that one round removes at most.
const BATCH: u32 = 500;

/// Removes a batch of old messages. The rooms' numbers go on.
#[instrument(name = "chat.sweep_messages", skip_all)]
pub(crate) async fn sweep_messages(cx: &Cx) -> Result<Round, Error> {
    let mut conn = cx.db.acquire().await?;
    let before = cx.clock.now() - cx.message_retention;
    let removed = store::message::delete_old(&mut conn, before, BATCH).await?;
    Ok(Round::of_batch(removed, BATCH.into()))
}
