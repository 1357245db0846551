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
    domain::{GRACE, Score, TournamentId, Trust},
    error::{Error, Refused},
    store,
};

/// Longest that a score waits for its board. One of some ten thousand players takes less.
const LOADING: Duration = Duration::from_millis(300);

/// The score of a run in a tournament.
pub(crate) struct NewScore {
    pub(crate) tournament: TournamentId,
    pub(crate) player: PlayerId,
    pub(crate) score: Score,
    pub(crate) trust: Trust,
}

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
    let NewScore { tournament, player, score, trust } = *new;
    let mut conn = cx.db.acquire().await?;
    let grace = GRACE.as_seconds_f64();
    let recorded =
        store::standing::record(&mut conn, tournament, player, score, trust, grace).await?;
    drop(conn);
    let recorded = recorded.ok_or(Refused::TournamentNotFound)?;
    if recorded.closed {
        return Err(Refused::TournamentClosed.into());
    }
    if score.reached_at < recorded.starts || score.reached_at >= recorded.ends + GRACE {
        let text = "This score was reached outside the tournament.";
        return Err(Fault::invalid_field("reachedAt", text).into());
    }
    let rank = with_loaded(cx, tournament, |loaded| {
        if recorded.is_best && loaded.created_xid == recorded.created_xid {
            loaded.board.apply(player, score);
        }
        loaded.board.standing(player).map(|standing| standing.rank)
    });
    let rank = match rank {
        Some(rank) => rank,
        None => rank_once_loaded(cx, tournament, player).await,
    };
    if recorded.is_best {
        cx.standings.publish_changed(tournament);
    }
    let best = recorded.known.filter(|_| !recorded.is_best);
    Ok(RecordedScore { best: best.map_or(score.points, |known| known.max(score.points)), rank })
}

/// The first score since the board was in memory waits a moment for it, so that its player
/// reads a rank as well.
async fn rank_once_loaded(cx: &Cx, id: TournamentId, player: PlayerId) -> Option<u64> {
    let read = read_board(cx, id, |board| board.standing(player).map(|standing| standing.rank));
    timeout(LOADING, read).await.ok()?.ok()??
}
