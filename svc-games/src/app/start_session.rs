//! Starts a play session.

use mesh::instrument;
use tracing::Span;
use types::PlayerId;

use super::round::{count_run, open_round, runs_left};
use crate::{
    app::Cx,
    domain::{Game, GameId, PlaySession, PlaySessionId, Proof, TournamentId, expires_at},
    error::{Error, Refused},
    proof::Ticket,
    store,
};

/// A session that was started, with what the game's page needs.
pub(crate) struct Started {
    pub(crate) ticket: Ticket,
    pub(crate) session: PlaySession,
    pub(crate) game: Game,
    /// How many runs the player has left in the round, this one included; `None` outside
    /// tournaments.
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
/// ones. A run that is replayed begins when its page asks for the seed; any other has no seed to
/// wait for, and begins now.
#[instrument(name = "games.start_session", skip_all,
    fields(player.id = %player, game.id = %choice.game, session.id, tournament.id))]
pub(crate) async fn start_session(
    cx: &Cx,
    player: PlayerId,
    choice: Choice,
) -> Result<Started, Error> {
    let open = match choice.tournament {
        Some(tournament) => {
            Span::current().record("tournament.id", tournament.to_string());
            Some(open_round(cx, tournament, choice.game).await?)
        }
        None => None,
    };
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    let game = store::game::find(&mut tx, choice.game).await?.ok_or(Refused::GameNotFound)?;
    let proof = open.as_ref().and_then(|open| open.proof).unwrap_or(game.proof);
    if open.is_some() && proof == Proof::Claim {
        return Err(Refused::GameNotPlayable.into());
    }
    let (seed, level) = if let Some(open) = open {
        (open.seed, open.level)
    } else {
        let level = i32::try_from(choice.level).ok().filter(|level| *level < game.levels);
        (i64::from_be_bytes(cx.rng.bytes()), level.ok_or(Refused::InvalidLevel)?)
    };
    let tournament = open.map(|open| open.round);
    let begins = proof.rules().is_none();
    let session = PlaySession {
        id: PlaySessionId::generate(&cx.clock, &cx.rng),
        player,
        game: choice.game,
        proof,
        tournament,
        seed,
        level,
        pieces: None,
        started_at: now,
        begun_at: begins.then_some(now),
        expires_at: expires_at(now, tournament.as_ref()),
    };
    Span::current().record("session.id", session.id.to_string());
    let runs_left = match &open {
        Some(open) => {
            let left = runs_left(&mut tx, player, open, now).await?;
            // The game's page goes on with an open run, also when it is the last one.
            if left.runs_left == 0 && !left.has_open_run {
                return Err(Refused::NoRunsLeft.into());
            }
            if begins {
                count_run(&mut tx, player, open).await?;
            }
            Some(left.runs_left)
        }
        None => None,
    };
    let ticket = Ticket::generate(session.id, &cx.rng);
    store::session::insert(&mut tx, &session, &ticket.hash()).await?;
    store::recent_game::put(&mut tx, player, choice.game, now).await?;
    tx.commit().await?;
    Ok(Started { ticket, session, game, runs_left })
}
