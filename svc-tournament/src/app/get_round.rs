//! The round of a tournament that is on.

use mesh::instrument;

use super::{Cx, seeds};
use crate::{
    domain::{Schedule, TournamentId},
    error::{Error, Refused},
    store,
};

/// The round that is on now, with its seed and level.
pub(crate) struct CurrentRound {
    /// The round's number, from 0.
    pub(crate) round: u32,
    /// The seed of all runs that are not live.
    pub(crate) seed: i64,
    /// The key from which the seeds of live runs follow.
    pub(crate) piece_key: [u8; 32],
    pub(crate) schedule: Schedule,
}

/// The round that is on now.
#[instrument(name = "tournament.get_round", skip_all, fields(tournament.id = %id))]
pub(crate) async fn get_round(cx: &Cx, id: TournamentId) -> Result<CurrentRound, Error> {
    let mut conn = cx.db.acquire().await?;
    let schedule = store::tournament::schedule(&mut conn, id).await?;
    let schedule = schedule.ok_or(Refused::TournamentNotFound)?;
    let round = schedule.round_at(cx.clock.now()).ok_or(Refused::TournamentNotOn)?;
    let seed = seeds::seed(&schedule.secret, round);
    let piece_key = seeds::piece_key(&schedule.secret, round);
    Ok(CurrentRound { round, seed, piece_key, schedule })
}
