//! The awards of a tournament.

use mesh::instrument;

use super::Cx;
use crate::{
    domain::{Award, TournamentId},
    error::{Error, Refused},
    store,
};

/// The awards by position and then by tier, gold first.
#[instrument(name = "tournament.list_awards", skip_all, fields(tournament.id = %id))]
pub(crate) async fn list_awards(cx: &Cx, id: TournamentId) -> Result<Vec<Award>, Error> {
    let mut conn = cx.db.acquire().await?;
    let awards = store::award::list(&mut conn, &[id.uuid()]).await?;
    if awards.is_empty() && store::tournament::settled(&mut conn, &[id]).await?.is_empty() {
        return Err(Refused::TournamentNotFound.into());
    }
    Ok(awards.into_iter().map(|(_, award)| award).collect())
}
