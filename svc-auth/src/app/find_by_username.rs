//! Looks a player up by username.

use mesh::instrument;
use types::PlayerId;

use super::Cx;
use crate::{
    domain::Username,
    error::{Error, Refused},
    store,
};

/// Returns the player with a username, which is `None` for a text that is not a valid username.
#[instrument(name = "auth.find_by_username", skip_all)]
pub(crate) async fn find_by_username(
    cx: &Cx,
    username: Option<Username>,
) -> Result<PlayerId, Error> {
    let username = username.ok_or(Refused::UserNotFound)?;
    let mut conn = cx.db.acquire().await?;
    let found = store::player::find_by_username(&mut conn, &username).await?;
    Ok(found.ok_or(Refused::UserNotFound)?)
}
