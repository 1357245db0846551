//! The newest message of a room that a member has read.

use mesh::instrument;
use types::PlayerId;

use super::{Cx, find_room::find_room};
use crate::{
    error::{Error, Refused},
    store,
};

/// Records that the player has read the room's messages up to `seq`.
#[instrument(name = "chat.mark_room_read", skip_all, fields(player.id = %player))]
pub(crate) async fn mark_room_read(
    cx: &Cx,
    player: PlayerId,
    room: &str,
    seq: u64,
) -> Result<(), Error> {
    let room = find_room(cx, room).await?;
    let mut conn = cx.db.acquire().await?;
    if !store::membership::mark_read(&mut conn, room, player, seq).await? {
        return Err(Refused::NotAMember.into());
    }
    Ok(())
}
