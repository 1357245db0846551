//! Commits a piece of a live run.

use mesh::instrument;
use tracing::Span;

use super::{begin_run::find_open, prove::rules};
use crate::{
    app::Cx,
    domain::{Inputs, PieceLength, PieceRefusal, Pieces, PlaySession},
    error::{Error, Refused},
    proof::{Ticket, piece_seed},
    store,
};

/// The inputs of a piece that its page has played.
pub(crate) struct CommittedPiece {
    /// Number of the piece, from 0.
    pub(crate) index: usize,
    pub(crate) inputs: Inputs,
}

/// Commits the next piece of the ticket's run, and returns the seed of the piece after the one that
/// is played then. A repeat gets the first reply. The seed is known to the page only after the
/// inputs are stored: a run cannot be played again with what it has shown.
#[instrument(name = "games.commit_piece", skip_all,
    fields(session.id = %ticket.session, player.id, game.id, piece.index = piece.index))]
pub(crate) async fn commit_piece(
    cx: &Cx,
    ticket: &Ticket,
    piece: &CommittedPiece,
) -> Result<i64, Error> {
    let session = find_open(cx, ticket).await?;
    let span = Span::current();
    span.record("player.id", session.player.to_string());
    span.record("game.id", session.game.to_string());
    let (pieces, length) = live(cx, &session).await?;
    let elapsed = session.played_for(cx.clock.now());
    if pieces.takes(piece.index, &piece.inputs, length, elapsed).map_err(Refused::from)? {
        let mut conn = cx.db.acquire().await?;
        let id = session.id;
        if !store::session::commit_piece(&mut conn, id, piece.index, &piece.inputs).await? {
            drop(conn);
            // Another call has committed this piece or ended the run since the session was read.
            let (pieces, length) = live(cx, &find_open(cx, ticket).await?).await?;
            pieces.takes(piece.index, &piece.inputs, length, elapsed).map_err(Refused::from)?;
        }
    }
    Ok(piece_seed(pieces.key, session.id, Pieces::given_by(piece.index)))
}

/// Returns the pieces of a live run that has begun.
async fn live(cx: &Cx, session: &PlaySession) -> Result<(Pieces, PieceLength), Error> {
    if session.begun_at.is_none() {
        return Err(Refused::RunNotBegun.into());
    }
    let (Some(pieces), Some(hash)) = (&session.pieces, session.proof.rules()) else {
        return Err(Refused::from(PieceRefusal::Invalid).into());
    };
    let length = rules(cx, hash).await?.pieces().ok_or(Refused::from(PieceRefusal::Invalid))?;
    Ok((pieces.clone(), length))
}
