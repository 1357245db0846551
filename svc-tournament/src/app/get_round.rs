//! The round of a tournament that is on.

use mesh::instrument;
use sha2::{Digest as _, Sha256};

use super::Cx;
use crate::{
    domain::{Schedule, TournamentId},
    error::{Error, Refused},
    store,
};

/// The round that is on now, with its seed and level.
pub(crate) struct CurrentRound {
    /// The round's number, from 0.
    pub(crate) round: u32,
    /// The same for every player.
    pub(crate) seed: i64,
    pub(crate) schedule: Schedule,
}

/// The round that is on now.
#[instrument(name = "tournament.get_round", skip_all, fields(tournament.id = %id))]
pub(crate) async fn get_round(cx: &Cx, id: TournamentId) -> Result<CurrentRound, Error> {
    let mut conn = cx.db.acquire().await?;
    let schedule = store::tournament::schedule(&mut conn, id).await?;
    let schedule = schedule.ok_or(Refused::TournamentNotFound)?;
    let round = schedule.round_at(cx.clock.now()).ok_or(Refused::TournamentNotOn)?;
    Ok(CurrentRound { round, seed: seed(&schedule.secret, round), schedule })
}

/// The first 8 bytes of a digest of the tournament's secret and the round.
fn seed(secret: &[u8], round: u32) -> i64 {
    let digest = Sha256::new().chain_update(secret).chain_update(round.to_be_bytes()).finalize();
    let mut seed = [0; 8];
    seed.copy_from_slice(&digest[..8]);
    i64::from_be_bytes(seed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_of_one_secret_and_one_round() {
        let digest = Sha256::digest([[7; 32].as_slice(), &[0, 0, 0, 2]].concat());
        assert_eq!(seed(&[7; 32], 2).to_be_bytes(), digest[..8]);
        assert_ne!(seed(&[7; 32], 2), seed(&[7; 32], 3));
        assert_ne!(seed(&[7; 32], 2), seed(&[8; 32], 2));
    }
}
