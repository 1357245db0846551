//! All rooms.

use tracing::instrument;

use crate::{app::Cx, domain::Room, error::Error, store};

/// Most rooms in one reply.
const LIMIT: i64 = 500;

/// Lists them, by name, to any player.
#[instrument(name = "chat.list_rooms", skip_all)]
pub async fn list_rooms(cx: &Cx) -> Result<Vec<Room>, Error> {
    let mut conn = cx.pool.acquire().await?;
    Ok(store::room::list(&mut conn, LIMIT).await?)
}
