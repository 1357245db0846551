//! Notifies the players of a settled tournament who won no award.

use mesh::{instrument, jobs::Round};

use super::{
    Cx,
    notify::{NOTIFY_TOPIC, TournamentEnded, Won, source},
};
use crate::{error::Error, store};

/// Ranks of one transaction.
const BATCH: i64 = 200;

/// Writes a batch of outbox rows. The cursor moves in the same transaction, so each player gets one
/// row however often the job is interrupted.
#[instrument(name = "tournament.notify_results", skip_all)]
pub(crate) async fn notify_results(cx: &Cx) -> Result<Round, Error> {
    let mut tx = cx.db.begin().await?;
    let Some(tournament) = store::settlement::lock_unnotified(&mut tx).await? else {
        tx.rollback().await?;
        return Ok(Round::Done);
    };
    let after = tournament.notified_rank;
    let up_to = tournament.players.min(after + BATCH);
    let (id, at) = (tournament.id, tournament.settled_at);
    let players = store::settlement::without_award(&mut tx, id, at, after, up_to).await?;
    for (rank, player) in players {
        let outcome = TournamentEnded {
            source: source(id, tournament.created_xid, player),
            player,
            tournament: tournament.name.clone(),
            rank: rank.unsigned_abs(),
            won: Won::Nothing { players: tournament.players.unsigned_abs() },
            at,
        };
        mesh::outbox::put(&mut tx, &cx.clock, &cx.rng, NOTIFY_TOPIC, &outcome).await?;
    }
    store::settlement::set_notified(&mut tx, id, up_to).await?;
    tx.commit().await?;
    cx.outbox.notify(NOTIFY_TOPIC);
    Ok(Round::More)
}
