//! Tells another service which sessions are open.

use mesh::instrument;
use types::SessionId;

use super::Cx;
use crate::{error::Error, store};

/// Returns the given sessions that have neither ended nor expired.
#[instrument(name = "auth.list_open_sessions", skip_all, fields(count = sessions.len()))]
pub(crate) async fn list_open_sessions(
    cx: &Cx,
    sessions: &[SessionId],
) -> Result<Vec<SessionId>, Error> {
    let now = cx.clock.now();
    let used_after = now - cx.rotation_policy.idle;
    let mut conn = cx.db.acquire().await?;
    Ok(store::session::list_open(&mut conn, sessions, now, used_after).await?)
}
