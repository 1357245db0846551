//! Keeps this replica's list of revoked sessions current.

use std::time::Duration;

use mesh::{auth::RevokedSession, jobs::Round};

use super::Cx;
use crate::{error::Error, store};

/// Overlap of two reads. It is longer than any transaction that ends a session, because a
/// transaction that noted its time earlier may commit later.
pub(super) const OVERLAP: Duration = Duration::from_mins(1);

/// Adds the sessions that any replica ended since the last read. The times compared are the
/// database's, so replicas with different clocks miss nothing.
pub(crate) async fn update_revoked_sessions(cx: &Cx) -> Result<Round, Error> {
    let (now, lifetime) = (cx.clock.now(), cx.access.lifetime());
    let mut conn = cx.db.acquire().await?;
    let since = cx.revoked.read_to().map(|at| at - OVERLAP);
    let first_read = (lifetime + OVERLAP).as_secs_f64();
    let read = store::session::list_ended_since(&mut conn, since, first_read).await?;
    let revoked = read.sessions.into_iter().map(|session| RevokedSession {
        id: session.id,
        // Computed from the later of two clocks, so that no replica drops the session before its
        // last access token has expired.
        expires_at: session.ended_at.max(now) + lifetime,
    });
    cx.revoked.sessions.update(revoked, now);
    cx.revoked.set_read_to(read.at);
    Ok(Round::Done)
}
