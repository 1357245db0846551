//! What anybody needs to check a tournament's result.

use std::collections::HashMap;

use mesh::instrument;

use super::{Cx, get_podium::PODIUM, seeds::seal};
use crate::{
    clients::games::ProvenRun,
    domain::{Schedule, Standing, TournamentId},
    error::{Error, Refused},
    store,
};

/// Most places of a proof.
const PLACES: i64 = 20;

/// The seal of a tournament's seeds, and the proof of its result once the board is final.
pub(crate) struct ResultProof {
    pub(crate) seal: [u8; 32],
    pub(crate) schedule: Schedule,
    /// `None` before the settlement.
    pub(crate) places: Option<Vec<ProvenPlace>>,
}

/// A place of a final board.
pub(crate) struct ProvenPlace {
    pub(crate) standing: Standing,
    /// `None` where the run is not kept any more, or was not proven by the rules.
    pub(crate) run: Option<ProvenRun>,
}

/// Returns the seal of a tournament's seeds; once the board is final, also the runs of the podium and
/// of the places that win awards.
#[instrument(name = "tournament.get_result_proof", skip_all, fields(tournament.id = %id))]
pub(crate) async fn get_result_proof(cx: &Cx, id: TournamentId) -> Result<ResultProof, Error> {
    let mut conn = cx.db.acquire().await?;
    let schedule = store::tournament::schedule(&mut conn, id).await?;
    let schedule = schedule.ok_or(Refused::TournamentNotFound)?;
    let seal = seal(&schedule.secret);
    let settled = store::tournament::settled(&mut conn, &[id]).await?;
    if !settled.first().is_some_and(|(_, settled)| *settled) {
        return Ok(ResultProof { seal, schedule, places: None });
    }
    let awards = store::award::list(&mut conn, &[id.uuid()]).await?;
    let awarded = awards.iter().map(|(_, award)| i64::from(award.position)).max();
    let ranks = awarded.unwrap_or_default().clamp(PODIUM, PLACES);
    let standings = store::settlement::first(&mut conn, id, ranks).await?;
    drop(conn);
    let players: Vec<_> = standings.iter().map(|standing| standing.player).collect();
    let runs = cx.games.tournament_runs(id, &players).await?;
    let mut runs: HashMap<_, _> = runs.into_iter().map(|run| (run.player, run)).collect();
    let starts = schedule.starts;
    let places = standings.into_iter().map(|standing| {
        // A run that was released after the settlement is not that of the place, nor is one of an
        // earlier tournament that had the same key.
        let run = runs
            .remove(&standing.player)
            .filter(|run| run.points == standing.points && run.reached_at >= starts);
        ProvenPlace { standing, run }
    });
    Ok(ResultProof { seal, schedule, places: Some(places.collect()) })
}
