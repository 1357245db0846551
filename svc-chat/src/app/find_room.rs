//! The room of a request.

use std::sync::PoisonError;

use types::Key;

use super::Cx;
use crate::{
    domain::RoomId,
    error::{Error, Refused},
    store,
};

/// The most room names that are cached; there are 500 rooms at most.
const REMEMBERED: usize = 2_000;

/// Whether a text has the form of a room's name, which is an operator's key. Other texts are not
/// looked up: PostgreSQL refuses some of them (U+0000).
pub(super) fn is_room_uid(text: &str) -> bool {
    Key::parse(text).is_ok()
}

/// The room with this id or `chat_room_uid`.
///
/// A name stays the name of its room for ever, because the id follows from it, so names are cached.
/// A removed room has no members, and refuses every call that only members may make.
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
