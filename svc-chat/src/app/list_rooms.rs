//! All rooms.

use mesh::instrument;
use types::PlayerId;

use crate::{
    app::Cx,
    domain::{Room, RoomCounts, RoomId},
    error::Error,
    store,
};

/// Most rooms in one reply.
const LIMIT: i64 = 500;

/// All rooms, those of the player first, with the number of their members and what is new for the
/// player. None is online without Redis.
#[instrument(name = "chat.list_rooms", skip_all, fields(player.id = %player))]
pub(crate) async fn list_rooms(
    cx: &Cx,
    player: PlayerId,
) -> Result<Vec<(Room, RoomCounts)>, Error> {
    let mut conn = cx.db.acquire().await?;
    let rooms = store::room::list(&mut conn, player, LIMIT).await?;
    drop(conn);
    let ids: Vec<RoomId> = rooms.iter().map(|room| room.id).collect();
    let online = cx.presence.online(&ids).await.unwrap_or_default();
    let online = online.into_iter().chain(std::iter::repeat(0));
    let counted = rooms.into_iter().zip(online).map(|(room, online)| {
        let members = room.member_count;
        (room, RoomCounts { members, online: online.min(members) })
    });
    Ok(counted.collect())
}
