//! What players may know of each other.

use tracing::instrument;
use types::PlayerId;

use super::Cx;
use crate::{
    domain::{PublicPlayer, Username},
    error::{Error, Refused},
    store,
};

/// The public side of those that exist.
#[instrument(name = "auth.public_players", skip_all, fields(count = ids.len()))]
pub(crate) async fn public_players(
    cx: &Cx,
    ids: Vec<PlayerId>,
) -> Result<Vec<PublicPlayer>, Error> {
    Ok(store::player::public(&mut *cx.db.acquire().await?, &ids).await?)
}

/// Who has a username; `None` is one that nobody can have.
#[instrument(name = "auth.find_by_username", skip_all)]
pub(crate) async fn find_by_username(
    cx: &Cx,
    username: Option<Username>,
) -> Result<PlayerId, Error> {
    let username = username.ok_or(Refused::UserNotFound)?;
    let found = store::player::id_by_username(&mut *cx.db.acquire().await?, &username).await?;
    Ok(found.ok_or(Refused::UserNotFound)?)
}
