//! Removes the runs of players whose accounts svc-auth erased.

use mesh::{instrument, jobs::Round};
use tracing::info;
use types::PlayerId;

use crate::{app::Cx, error::Error, store};

/// Removes the best runs and the recent games of the next players of svc-auth's list. Every step can
/// be repeated, by this replica and beside another one, and the list continues after these players
/// once their rows are gone.
#[instrument(name = "games.erase_players", skip_all)]
pub(crate) async fn erase_players(cx: &Cx) -> Result<Round, Error> {
    let last = {
        let mut conn = cx.db.acquire().await?;
        store::erasure::last(&mut conn).await?
    };
    let erased = cx.erased_players.after(last).await?;
    let Some(end) = erased.last().copied() else { return Ok(Round::Done) };
    let players: Vec<PlayerId> = erased.iter().map(|player| player.id).collect();
    let mut tx = cx.db.begin().await?;
    store::erasure::erase(&mut tx, &players).await?;
    store::erasure::advance(&mut tx, end).await?;
    tx.commit().await?;
    info!(players = players.len(), "erased players");
    Ok(Round::More)
}
