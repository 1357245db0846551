//! Keeps this replica's list of revoked sessions current.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use mesh::{
    auth::{RevokedSession, RevokedSessions},
    jobs::Round,
};
use time::OffsetDateTime;

use super::Cx;
use crate::{error::Error, store};

/// How much of what was read is read again. Longer than any transaction that ends a
/// session, because a transaction that noted its time earlier may commit later.
pub(super) const OVERLAP: Duration = Duration::from_mins(1);

/// Sessions whose access tokens are refused although they have not expired.
#[derive(Default)]
pub(crate) struct RevokedSessionList {
    pub(crate) sessions: RevokedSessions,
    /// The database's time of the last read.
    read_to: Mutex<Option<OffsetDateTime>>,
}

impl RevokedSessionList {
    fn read_to(&self) -> Option<OffsetDateTime> {
        *self.read_to.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_read_to(&self, at: OffsetDateTime) {
        *self.read_to.lock().unwrap_or_else(PoisonError::into_inner) = Some(at);
    }
}

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
        // By the later of two clocks, so that no replica drops it before its last access
        // token has expired.
        expires_at: session.ended_at.max(now) + lifetime,
    });
    cx.revoked.sessions.update(revoked, now);
    cx.revoked.set_read_to(read.at);
    Ok(Round::Done)
}
