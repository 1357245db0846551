//! A page of a board.

use std::sync::Arc;

use mesh::instrument;
use types::{Page, PlayerId};

use super::{Cx, read_board::read_board};
use crate::{
    board::FinalBoard,
    domain::{OwnAward, Standing, TournamentId},
    error::{Error, Refused},
    store,
};

/// The most players of a final board that is cached. Pages of a larger board are read each time.
const KEPT_PLAYERS: i64 = 2_000;

/// A page of a board, with the reader's own place.
pub(crate) struct Leaderboard {
    pub(crate) standings: Vec<Standing>,
    /// Whether there is no page after this one.
    pub(crate) last: bool,
    pub(crate) players: u64,
    pub(crate) own: Option<Standing>,
    pub(crate) settled: bool,
    /// The awards of money that the reader won.
    pub(crate) own_awards: Vec<OwnAward>,
}

/// A page of the present board, or of the final one, with the reader's awards of money.
#[instrument(name = "tournament.get_leaderboard", skip_all, fields(tournament.id = %id))]
pub(crate) async fn get_leaderboard(
    cx: &Cx,
    id: TournamentId,
    player: PlayerId,
    page: Page,
) -> Result<Leaderboard, Error> {
    let mut board = read_page(cx, id, player, page).await?;
    if board.settled {
        let mut conn = cx.db.acquire().await?;
        board.own_awards = store::given_award::of_player(&mut conn, id, player).await?;
    }
    Ok(board)
}

async fn read_page(
    cx: &Cx,
    id: TournamentId,
    player: PlayerId,
    page: Page,
) -> Result<Leaderboard, Error> {
    let (offset, limit) = (page.offset().unsigned_abs(), page.limit().unsigned_abs());
    let board = |standings: Vec<Standing>, players: u64, own, settled| {
        let last = offset + limit >= players;
        Leaderboard { standings, last, players, own, settled, own_awards: Vec::new() }
    };
    let (from, most) = (usize_of(offset), usize_of(limit));
    let settled = |kept: &FinalBoard| {
        let players = kept.players() as u64;
        board(kept.page(from, most), players, kept.standing(player), true)
    };
    if let Some(kept) = cx.final_boards.get(&id) {
        return Ok(settled(&kept));
    }
    // No live board is loaded for a settled tournament, whose board never changes; most boards that
    // are read are settled.
    if cx.boards.existing(id).is_some() || !is_settled(cx, id).await? {
        let read = read_board(cx, id, |live| {
            let players = live.players() as u64;
            board(live.page(from, most), players, live.standing(player), false)
        });
        if let Some(live) = read.await? {
            return Ok(live);
        }
    }
    let mut conn = cx.db.acquire().await?;
    let tournament = store::tournament::find(&mut conn, id).await?;
    let tournament = tournament.ok_or(Refused::TournamentNotFound)?;
    if tournament.players <= KEPT_PLAYERS {
        let standings = store::final_standing::all(&mut conn, id).await?;
        let kept = Arc::new(FinalBoard::new(standings));
        cx.final_boards.insert(id, Arc::clone(&kept));
        return Ok(settled(&kept));
    }
    let standings = store::final_standing::page(&mut conn, id, page).await?;
    let own = store::final_standing::find(&mut conn, id, player).await?;
    Ok(board(standings, tournament.players.unsigned_abs(), own, true))
}

/// Whether the tournament is settled. Refuses one that does not exist, before memory is used for
/// it.
async fn is_settled(cx: &Cx, id: TournamentId) -> Result<bool, Error> {
    let mut conn = cx.db.acquire().await?;
    let found = store::tournament::settled(&mut conn, &[id]).await?;
    let (_, settled) = found.first().ok_or(Refused::TournamentNotFound)?;
    Ok(*settled)
}

fn usize_of(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
