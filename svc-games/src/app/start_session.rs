//! Starts a play session.

use mesh::instrument;
use tracing::Span;
use types::PlayerId;

use crate::{
    app::Cx,
    domain::{Game, GameId, LIFETIME, PlaySession, PlaySessionId},
    error::{Error, Refused},
    proof::Ticket,
    store,
};

/// A session that was started, with what the game's page needs.
pub(crate) struct Started {
    pub(crate) ticket: Ticket,
    pub(crate) session: PlaySession,
    pub(crate) game: Game,
}

/// Starts a session of the player for one run, and puts the game among the player's recent
/// ones. The seed is random.
#[instrument(name = "games.start_session", skip_all,
    fields(player.id = %player, game.id = %id, session.id))]
pub(crate) async fn start_session(
    cx: &Cx,
    player: PlayerId,
    id: GameId,
    level: u32,
) -> Result<Started, Error> {
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    let game = store::game::find(&mut tx, id).await?.ok_or(Refused::GameNotFound)?;
    let rules = game.rules.ok_or(Refused::GameNotPlayable)?;
    let level = i32::try_from(level).ok().filter(|level| *level < game.levels);
    let session = PlaySession {
        id: PlaySessionId::generate(&cx.clock, &cx.rng),
        player,
        game: id,
        rules,
        seed: i64::from_be_bytes(cx.rng.bytes()),
        level: level.ok_or(Refused::InvalidLevel)?,
        started_at: now,
        expires_at: now + LIFETIME,
    };
    Span::current().record("session.id", session.id.to_string());
    let ticket = Ticket::generate(session.id, &cx.rng);
    store::session::insert(&mut tx, &session, &ticket.hash()).await?;
    store::recent_game::put(&mut tx, player, id, now).await?;
    tx.commit().await?;
    Ok(Started { ticket, session, game })
}
