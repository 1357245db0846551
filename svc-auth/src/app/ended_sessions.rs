//! What every judge of tokens must know: which sessions have ended.

use std::time::Duration;

use mesh::auth::EndedSession;
use time::OffsetDateTime;

use super::Cx;
use crate::{error::Error, store};

/// How much of what was read is read again: longer than any transaction that ends a
/// session lasts, because one that began earlier may commit later.
pub(super) const OVERLAP: Duration = Duration::from_mins(1);

/// Adds to the list of this process what ended since it was last read, by any
/// replica. `read_to` is how far it was; the reply is how far it is now.
pub(crate) async fn read_ended_sessions(
    cx: &Cx,
    read_to: Option<OffsetDateTime>,
) -> Result<OffsetDateTime, Error> {
    let now = cx.clock.now();
    // Tokens older than their lifetime are refused as they are.
    let oldest = now - cx.access.lifetime();
    let from = read_to.map_or(oldest, |at| at - OVERLAP);
    let mut conn = cx.db.acquire().await?;
    let ended = store::session::ended_after(&mut conn, from).await?;
    let last = ended.last().map_or(oldest, |session| session.ended_at);
    let lifetime = cx.access.lifetime();
    let news = ended
        .into_iter()
        .map(|session| EndedSession { id: session.id, forget_at: session.ended_at + lifetime });
    cx.ended.learn(news, now);
    // Not beyond our own time: a replica whose clock is ahead would otherwise have us
    // skip what the others end until then.
    Ok(read_to.map_or(last, |at| at.max(last)).min(now))
}
