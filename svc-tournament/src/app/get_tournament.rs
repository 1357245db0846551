//! One tournament.

use mesh::instrument;

use crate::{
    app::Cx,
    domain::{Tournament, TournamentId},
    error::{Error, Refused},
    store,
};

/// The tournament with this id.
#[instrument(name = "tournament.get_tournament", skip_all, fields(tournament.id = %id))]
pub(crate) async fn get_tournament(cx: &Cx, id: TournamentId) -> Result<Tournament, Error> {
    let mut conn = cx.db.acquire().await?;
    let found = store::tournament::find(&mut conn, id).await?;
    Ok(found.ok_or(Refused::TournamentNotFound)?)
}
