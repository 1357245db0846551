//! Records the score of a run.

use std::time::Duration;

use mesh::{Fault, instrument};
use tokio::time::timeout;
use types::PlayerId;

use super::{
    Cx,
    read_board::{read_board, with_loaded},
};
use crate::{
    domain::{GRACE, NewScore, TournamentId},
    error::{Error, Refused},
    store,
};

/// Longest that a score waits for its board. One of some ten thousand players takes less.
const LOADING: Duration = Duration::from_millis(300);

/// What a player has after a score.
pub(crate) struct RecordedScore {
    /// The most points.
    pub(crate) best: i32,
    /// `None` while the board is being loaded.
    pub(crate) rank: Option<u64>,
}

/// Keeps the player's best score. Repeats, and scores in another order, end the same. The rank
/// is that of this replica's board, which may lack scores that others have just recorded.
#[instrument(name = "tournament.record_score", skip_all,
    fields(tournament.id = %new.tournament, player.id = %new.player))]
pub(crate) async fn record_score(cx: &Cx, new: &NewScore) -> Result<RecordedScore, Error> {
    let NewScore { tournament, player, score, .. } = *new;
    let written = cx.scores.call(*new).await?;
    let best = match written {
        Some(_) => score.points,
        None => best_of_others(cx, new).await?,
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

/// The player's best, for a score that was not written because of it; or else the reason.
async fn best_of_others(cx: &Cx, new: &NewScore) -> Result<i32, Error> {
    let mut conn = cx.db.acquire().await?;
    let reason = store::standing::reason(&mut conn, new.tournament, new.player).await?;
    let reason = reason.ok_or(Refused::TournamentNotFound)?;
    if reason.closed {
        return Err(Refused::TournamentClosed.into());
    }
    let at = new.score.reached_at;
    if at < reason.starts || at >= reason.ends + GRACE {
        let text = "SCORE_OUTSIDE_TOURNAMENT";
        return Err(Fault::invalid_field("reached_at", text).into());
    }
    // Without one, the tournament changed between the two statements: the call is repeated.
    Ok(reason.best.ok_or_else(Fault::unavailable)?)
}

/// The first score since the board was in memory waits a moment for it, so that its player
/// reads a rank as well.
async fn rank_once_loaded(cx: &Cx, id: TournamentId, player: PlayerId) -> Option<u64> {
    let read = read_board(cx, id, |board| board.standing(player).map(|standing| standing.rank));
    timeout(LOADING, read).await.ok()?.ok()??
}
