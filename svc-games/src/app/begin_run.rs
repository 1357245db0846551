//! Begins the run of a play session.

use anyhow::Context as _;
use mesh::instrument;
use tracing::Span;

use super::{
    prove::rules,
    round::{count_run, open_round},
};
use crate::{
    app::Cx,
    domain::{OpenRound, PieceKey, Pieces, PlaySession, expires_at},
    error::{Error, Refused},
    proof::{Ticket, piece_seed},
    store,
};

/// Begins the run of the ticket's session: from now on the player knows its seed. In a tournament
/// the run is of the round that is on, and is counted in the same transaction. A run that has
/// begun is returned as it is, so that a page can ask again; a live run that was not played begins
/// again, because the page may have missed the first reply.
#[instrument(name = "games.begin_run", skip_all,
    fields(session.id = %ticket.session, player.id, game.id, tournament.id))]
pub(crate) async fn begin_run(cx: &Cx, ticket: &Ticket) -> Result<PlaySession, Error> {
    let session = find_open(cx, ticket).await?;
    let span = Span::current();
    span.record("player.id", session.player.to_string());
    span.record("game.id", session.game.to_string());
    if session.begun_at.is_some() {
        return begin_again(cx, ticket, session).await;
    }
    let open = match session.tournament {
        Some(round) => {
            span.record("tournament.id", round.tournament.to_string());
            Some(open_round(cx, round.tournament, session.game).await?)
        }
        None => None,
    };
    let key = piece_key(cx, &session, open.as_ref()).await?;
    let seed = match key {
        Some(key) => piece_seed(key, session.id, 0),
        None => open.map_or(session.seed, |open| open.seed),
    };
    let now = cx.clock.now();
    let round = open.map(|open| open.round);
    let begun = PlaySession {
        tournament: round,
        seed,
        pieces: key.map(|key| Pieces { key, committed: Vec::new() }),
        level: open.map_or(session.level, |open| open.level),
        begun_at: Some(now),
        expires_at: expires_at(now, round.as_ref()),
        ..session
    };
    let mut tx = cx.db.begin().await?;
    if !store::session::begin(&mut tx, &begun).await? {
        drop(tx);
        // Another call began the run since it was read.
        return find_open(cx, ticket).await;
    }
    if let Some(open) = &open {
        count_run(&mut tx, session.player, open).await?;
    }
    tx.commit().await?;
    Ok(begun)
}

/// Returns a run that has begun. If it was not played, its time begins now.
async fn begin_again(cx: &Cx, ticket: &Ticket, session: PlaySession) -> Result<PlaySession, Error> {
    let (Some(pieces), Some(hash)) = (&session.pieces, session.proof.rules()) else {
        return Ok(session);
    };
    let length = rules(cx, hash).await?.pieces();
    let mut conn = cx.db.acquire().await?;
    let now = cx.clock.now();
    let elapsed = session.played_for(now);
    if !length.is_some_and(|length| pieces.is_unplayed(length, elapsed)) {
        return Ok(session);
    }
    if store::session::begin_again(&mut conn, &session, now).await? {
        return Ok(PlaySession { begun_at: Some(now), ..session });
    }
    drop(conn);
    // Another call has begun the run again, committed a piece or ended the run since it was read.
    find_open(cx, ticket).await
}

/// Returns the key of a live run's seeds; `None` for a run that is not live. A tournament's round has
/// one key, so that anybody can check the seeds of its runs in the end.
async fn piece_key(
    cx: &Cx,
    session: &PlaySession,
    open: Option<&OpenRound>,
) -> Result<Option<PieceKey>, Error> {
    let Some(hash) = session.proof.rules() else { return Ok(None) };
    if rules(cx, hash).await?.pieces().is_none() {
        return Ok(None);
    }
    let Some(open) = open else { return Ok(Some(PieceKey(cx.rng.bytes()))) };
    Ok(Some(open.piece_key.context("svc-tournament sent no key for the pieces of a round")?))
}

pub(super) async fn find_open(cx: &Cx, ticket: &Ticket) -> Result<PlaySession, Error> {
    let mut conn = cx.db.acquire().await?;
    let now = cx.clock.now();
    let session = store::session::find_open(&mut conn, ticket.session, &ticket.hash(), now).await?;
    Ok(session.map_err(Refused::from)?)
}
