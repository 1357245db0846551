//! The room of a request.

use std::sync::PoisonError;

use types::Key;

use super::Cx;
use crate::{
    domain::RoomId,
    error::{Error, Refused},
    store,
};

/// Names that are remembered; there are 500 rooms at most.
const REMEMBERED: usize = 2_000;

/// Whether a text may be the name of a room: an operator's key for it. PostgreSQL cannot even
/// look for some others (U+0000).
pub(super) fn is_room_uid(text: &str) -> bool {
    Key::parse(text).is_ok()
}

/// The room with this id or `chat_room_uid`.
///
/// A name stays the name of its room for ever, because the id follows from it, so names are
/// remembered. A room that is gone has no members, and refuses all that members only may do.
pub(super) async fn find_room(cx: &Cx, name: &str) -> Result<RoomId, Error> {
    let lock = || cx.room_names.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(room) = lock().get(name) {
        return Ok(*room);
    }
    let id = RoomId::parse(name).ok();
    if id.is_none() && !is_room_uid(name) {
        return Err(Refused::RoomNotFound.into());
    }
    let mut conn = cx.db.acquire().await?;
    let room = store::room::find(&mut conn, id, name).await?.ok_or(Refused::RoomNotFound)?;
    let mut rooms = lock();
    if rooms.len() >= REMEMBERED {
        rooms.clear();
    }
    rooms.insert(name.to_owned(), room);
    Ok(room)
}
