//! Begins a break from play.

use mesh::{auth::Player, instrument};
use time::OffsetDateTime;

use super::Cx;
use crate::{
    domain::BreakLength,
    error::Error,
    store::{self, session::Ending},
};

/// Begins a break, or makes one longer, and returns its end. All of the caller's sessions end: the
/// access tokens of a session that is opened later say that the player is on a break.
#[instrument(name = "auth.start_break", skip_all, fields(player.id = %caller.id))]
pub(crate) async fn start_break(
    cx: &Cx,
    caller: Player,
    length: BreakLength,
) -> Result<OffsetDateTime, Error> {
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    // A concurrent sign-in commits before this and is ended, or opens its session after it.
    store::player::lock(&mut tx, caller.id).await?;
    let ends_at = store::player::start_break(&mut tx, caller.id, now + length.duration()).await?;
    store::session::end_all(&mut tx, caller.id, None, Ending::SignedOutEverywhere, now).await?;
    tx.commit().await?;
    Ok(ends_at)
}
