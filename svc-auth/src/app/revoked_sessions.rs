//! What every judge of tokens must know: which sessions have ended.

use std::time::Duration;

use mesh::auth::RevokedSession;
use time::OffsetDateTime;

use super::Cx;
use crate::{error::Error, store};

/// How much of what was read is read again: longer than any transaction that ends a
/// session lasts, because one that began earlier may commit later.
pub(super) const OVERLAP: Duration = Duration::from_mins(1);

/// Adds to the list of this process what ended since it was last read, by any
/// replica. `read_to` is when that was by Postgres' clock, and the reply is now: replicas
/// whose own clocks differ hide nothing from each other.
pub(crate) async fn read_ended_sessions(
    cx: &Cx,
    read_to: Option<OffsetDateTime>,
) -> Result<OffsetDateTime, Error> {
    let (now, lifetime) = (cx.clock.now(), cx.access.lifetime());
    let mut conn = cx.db.acquire().await?;
    let since = read_to.map(|at| at - OVERLAP);
    let everything = (lifetime + OVERLAP).as_secs_f64();
    let read = store::session::ended_since(&mut conn, since, everything).await?;
    let news = read.sessions.into_iter().map(|session| RevokedSession {
        id: session.id,
        // By the later of two clocks: nobody forgets it before its last token is too old.
        expires_at: session.ended_at.max(now) + lifetime,
    });
    cx.ended.learn(news, now);
    Ok(read.at)
}
