//! Looks players up for another service.

use mesh::instrument;
use types::PlayerId;

use super::Cx;
use crate::{
    domain::{PlayerNames, Username},
    error::Error,
    store,
};

/// The names of the players with these usernames or ids who exist and are not leaving.
#[instrument(
    name = "auth.batch_look_up_players",
    skip_all,
    fields(count = usernames.len() + ids.len())
)]
pub(crate) async fn batch_look_up_players(
    cx: &Cx,
    usernames: Vec<Username>,
    ids: Vec<PlayerId>,
) -> Result<Vec<PlayerNames>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::player::look_up(&mut conn, &usernames, &ids).await?)
}
