//! The podium of a tournament.

use mesh::instrument;
use types::PlayerId;

use super::Cx;
use crate::{
    domain::TournamentId,
    error::{Error, Refused},
    store,
};

/// Places of the podium.
pub(super) const PODIUM: i64 = 3;

/// Whether a tournament is settled, and the first three of its final board.
pub(crate) struct Podium {
    pub(crate) settled: bool,
    /// Empty before the settlement.
    pub(crate) players: Vec<PlayerId>,
}

/// The podium of a tournament.
#[instrument(name = "tournament.get_podium", skip_all, fields(tournament.id = %id))]
pub(crate) async fn get_podium(cx: &Cx, id: TournamentId) -> Result<Podium, Error> {
    let mut conn = cx.db.acquire().await?;
    let found = store::tournament::settled(&mut conn, &[id]).await?;
    let (_, settled) = *found.first().ok_or(Refused::TournamentNotFound)?;
    if !settled {
        return Ok(Podium { settled, players: Vec::new() });
    }
    let first = store::settlement::first(&mut conn, id, PODIUM).await?;
    let players = first.into_iter().map(|standing| standing.player).collect();
    Ok(Podium { settled, players })
}
