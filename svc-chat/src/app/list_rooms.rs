//! All rooms.

use mesh::instrument;

use crate::{app::Cx, domain::Room, error::Error, store};

/// Most rooms in one reply.
const LIMIT: i64 = 500;

/// All rooms by name, with the number of their members.
#[instrument(name = "chat.list_rooms", skip_all)]
pub(crate) async fn list_rooms(cx: &Cx) -> Result<Vec<Room>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::room::list(&mut conn, LIMIT).await?)
}
