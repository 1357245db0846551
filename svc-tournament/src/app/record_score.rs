//! Records the score of a run.

use std::time::Duration;

use mesh::{Fault, instrument};
use tokio::time::timeout;
use types::PlayerId;

use super::{
    Cx,
    read_board::{read_board, with_loaded},
    record_late_score::record_late_score,
};
use crate::{
    domain::{GRACE, NewScore, RecordedScore, TournamentId},
    error::{Error, Refused},
    store,
};

/// Longest that a score waits for its board to load. A board of some ten thousand players takes
/// less.
const LOADING: Duration = Duration::from_millis(300);

/// Keeps the player's best score, or gives the award of one that is released after the settlement.
/// Repeats and scores out of order give the same standing. The rank is that on this replica's board,
/// which may lack scores that other replicas have just recorded.
#[instrument(name = "tournament.record_score", skip_all,
    fields(tournament.id = %new.tournament, player.id = %new.player))]
pub(crate) async fn record_score(cx: &Cx, new: &NewScore) -> Result<RecordedScore, Error> {
    let NewScore { tournament, player, score, .. } = *new;
    let written = match cx.scores.call(*new).await {
        // The tournament was closed while the score was written.
        Err(Error::Refused(Refused::TournamentClosed)) => {
            return record_late_score(cx, new).await;
        }
        written => written?,
    };
    let best = match written {
        Some(_) => score.points,
        None => match find_best(cx, new).await? {
            Some(best) => best,
            None => return record_late_score(cx, new).await,
        },
    };
    let rank = with_loaded(cx, tournament, |loaded| {
        if written == Some(loaded.created_xid) {
            loaded.board.apply(player, score);
        }
        loaded.board.standing(player).map(|standing| standing.rank)
    });
    let rank = match rank {
        Some(rank) => rank,
        None => rank_once_loaded(cx, tournament, player).await,
    };
    if written.is_some() {
        cx.standings.publish_changed(tournament);
    }
    Ok(RecordedScore { best, rank })
}

/// The player's best score, if the new score was not written because it is no better; `None` if the
/// tournament is closed; otherwise the refusal.
async fn find_best(cx: &Cx, new: &NewScore) -> Result<Option<i32>, Error> {
    let mut conn = cx.db.acquire().await?;
    let reason = store::standing::reason(&mut conn, new.tournament, new.player).await?;
    let reason = reason.ok_or(Refused::TournamentNotFound)?;
    if reason.closed {
        return Ok(None);
    }
    let at = new.score.reached_at;
    if at < reason.starts || at >= reason.ends + GRACE {
        let text = "SCORE_OUTSIDE_TOURNAMENT";
        return Err(Fault::invalid_field("reached_at", text).into());
    }
    // Without a best score, the tournament changed between the two statements, and the caller
    // repeats the call.
    Ok(Some(reason.best.ok_or_else(Fault::unavailable)?))
}

/// The player's rank, for a score whose board is not in memory: waits a moment until it is loaded.
async fn rank_once_loaded(cx: &Cx, id: TournamentId, player: PlayerId) -> Option<u64> {
    let read = read_board(cx, id, |board| board.standing(player).map(|standing| standing.rank));
    timeout(LOADING, read).await.ok()?.ok()??
}
