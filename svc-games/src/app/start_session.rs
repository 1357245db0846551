//! Starts a play session.

use mesh::instrument;
use sqlx::PgConnection;
use tracing::Span;
use types::PlayerId;

use crate::{
    app::Cx,
    domain::{
        Game, GameId, OpenRound, PlaySession, PlaySessionId, Proof, TournamentId, expires_at,
    },
    error::{Error, Refused},
    proof::Ticket,
    store,
};

/// A session that was started, with what the game's page needs.
pub(crate) struct Started {
    pub(crate) ticket: Ticket,
    pub(crate) session: PlaySession,
    pub(crate) game: Game,
    /// How many more runs the player has in the round; `None` outside tournaments.
    pub(crate) runs_left: Option<u32>,
}

/// The game, level and tournament that a player chose.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Choice {
    pub(crate) game: GameId,
    /// Ignored in a tournament, where the round sets the level.
    pub(crate) level: u32,
    pub(crate) tournament: Option<TournamentId>,
}

/// Starts a session of the player for one run, and puts the game among the player's recent
/// ones. The seed is random; in a tournament it is the round's, and the run is counted in
/// the same transaction.
#[instrument(name = "games.start_session", skip_all,
    fields(player.id = %player, game.id = %choice.game, session.id, tournament.id))]
pub(crate) async fn start_session(
    cx: &Cx,
    player: PlayerId,
    choice: Choice,
) -> Result<Started, Error> {
    let open = open_round(cx, choice).await?;
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    let game = store::game::find(&mut tx, choice.game).await?.ok_or(Refused::GameNotFound)?;
    let (seed, level) = match open {
        Some(_) if game.proof == Proof::Claim => return Err(Refused::GameNotPlayable.into()),
        Some(open) => (open.seed, open.level),
        None => {
            let level = i32::try_from(choice.level).ok().filter(|level| *level < game.levels);
            (i64::from_be_bytes(cx.rng.bytes()), level.ok_or(Refused::InvalidLevel)?)
        }
    };
    let tournament = open.map(|open| open.round);
    let session = PlaySession {
        id: PlaySessionId::generate(&cx.clock, &cx.rng),
        player,
        game: choice.game,
        proof: game.proof,
        tournament,
        seed,
        level,
        started_at: now,
        expires_at: expires_at(now, tournament.as_ref()),
    };
    Span::current().record("session.id", session.id.to_string());
    let runs_left = match &open {
        Some(open) => Some(count_run(&mut tx, player, open).await?),
        None => None,
    };
    let ticket = Ticket::generate(session.id, &cx.rng);
    store::session::insert(&mut tx, &session, &ticket.hash()).await?;
    store::recent_game::put(&mut tx, player, choice.game, now).await?;
    tx.commit().await?;
    Ok(Started { ticket, session, game, runs_left })
}

/// Returns the open round of the chosen tournament, which must be one of this game.
async fn open_round(cx: &Cx, choice: Choice) -> Result<Option<OpenRound>, Error> {
    let Some(tournament) = choice.tournament else { return Ok(None) };
    Span::current().record("tournament.id", tournament.to_string());
    let open = cx.tournaments.open_round(tournament).await?;
    if open.game != choice.game {
        return Err(Refused::TournamentNotFound.into());
    }
    Ok(Some(open))
}

/// Counts the run, and returns how many runs the player has left in the round.
async fn count_run(
    conn: &mut PgConnection,
    player: PlayerId,
    open: &OpenRound,
) -> Result<u32, Error> {
    let limit = i32::try_from(open.runs_per_round).unwrap_or(i32::MAX);
    let runs = store::tournament_runs::count(conn, player, &open.round, limit).await?;
    let left = limit - runs.ok_or(Refused::NoRunsLeft)?;
    Ok(u32::try_from(left).unwrap_or(0))
}
