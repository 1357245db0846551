//! Joining and leaving a room.

use mesh::instrument;
use types::PlayerId;

use super::{
    Cx, find_room::find_room, room_change::RoomChange, room_changed::publish_room_changed,
};
use crate::{
    error::{Error, Refused},
    store,
};

/// Most rooms in one reply.
const LIMIT: i64 = 500;

/// Makes the player a member of a room.
#[instrument(name = "chat.join_room", skip_all, fields(player.id = %player))]
pub(crate) async fn join_room(cx: &Cx, player: PlayerId, room: &str) -> Result<(), Error> {
    let room = find_room(cx, room).await?;
    let mut conn = cx.db.acquire().await?;
    // The room may have been removed after it was found.
    store::room::state(&mut conn, room).await?.ok_or(Refused::RoomNotFound)?;
    if !store::membership::insert(&mut conn, room, player, cx.clock.now()).await? {
        return Err(Refused::AlreadySubscribed.into());
    }
    publish_room_changed(cx, room, RoomChange::Counts);
    Ok(())
}

/// Ends the player's membership of a room, and the player's streams of it.
#[instrument(name = "chat.leave_room", skip_all, fields(player.id = %player))]
pub(crate) async fn leave_room(cx: &Cx, player: PlayerId, room: &str) -> Result<(), Error> {
    let room = find_room(cx, room).await?;
    let mut conn = cx.db.acquire().await?;
    if !store::membership::delete(&mut conn, room, player).await? {
        return Err(Refused::NothingToLeave.into());
    }
    publish_room_changed(cx, room, RoomChange::MembershipEnded);
    Ok(())
}

/// The `chat_room_uid`s of the rooms that the player has joined, sorted.
#[instrument(name = "chat.list_joined_rooms", skip_all, fields(player.id = %player))]
pub(crate) async fn list_joined_rooms(cx: &Cx, player: PlayerId) -> Result<Vec<String>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::membership::joined(&mut conn, player, LIMIT).await?)
}
