//! Reads the public profiles of players.

use mesh::instrument;
use types::PlayerId;

use super::Cx;
use crate::{domain::PublicPlayer, error::Error, store};

/// The public profiles of the players who exist and are not leaving.
#[instrument(name = "auth.batch_get_public_players", skip_all, fields(count = ids.len()))]
pub(crate) async fn batch_get_public_players(
    cx: &Cx,
    ids: Vec<PlayerId>,
) -> Result<Vec<PublicPlayer>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::player::list_public(&mut conn, &ids).await?)
}
