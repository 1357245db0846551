//! Erases the data of players whose accounts svc-auth erased.

use mesh::{instrument, jobs::Round};
use tracing::info;
use types::PlayerId;

use super::{
    Cx, delete_message::delete_message, room_change::RoomChange, room_changed::publish_room_changed,
};
use crate::{
    domain::MessageId,
    error::{Error, Refused},
    store,
};

/// How often the removal of a message is tried when it conflicts with another transaction on its
/// room.
const TRIES: u32 = 5;

/// Erases the next players of svc-auth's list. Every step can be repeated, by this replica and
/// beside another one, and the list continues after a player once all their data is gone.
#[instrument(name = "chat.erase_players", skip_all)]
pub(crate) async fn erase_players(cx: &Cx) -> Result<Round, Error> {
    let last = {
        let mut conn = cx.db.acquire().await?;
        store::erasure::last(&mut conn).await?
    };
    let erased = cx.erased_players.after(last).await?;
    if erased.is_empty() {
        return Ok(Round::Done);
    }
    for player in &erased {
        erase_rows(cx, player.id).await?;
        if !erase_messages(cx, player.id).await? {
            return Ok(Round::Done);
        }
        let mut conn = cx.db.acquire().await?;
        store::erasure::advance(&mut conn, *player).await?;
    }
    info!(players = erased.len(), "erased players");
    Ok(Round::More)
}

/// Erases a player's data except messages.
async fn erase_rows(cx: &Cx, player: PlayerId) -> Result<(), Error> {
    let mut tx = cx.db.begin().await?;
    let rooms = store::erasure::erase(&mut tx, player).await?;
    tx.commit().await?;
    for room in rooms {
        publish_room_changed(cx, room, RoomChange::MembershipEnded);
    }
    Ok(())
}

/// Removes a player's messages; false when the process stops before the last one.
async fn erase_messages(cx: &Cx, player: PlayerId) -> Result<bool, Error> {
    loop {
        let messages = {
            let mut conn = cx.db.acquire().await?;
            store::erasure::messages_of(&mut conn, player).await?
        };
        if messages.is_empty() {
            return Ok(true);
        }
        for message in messages {
            if cx.shutdown.is_stopping() {
                return Ok(false);
            }
            remove(cx, player, message).await?;
        }
    }
}

/// Removes a message as its sender would have.
async fn remove(cx: &Cx, sender: PlayerId, message: MessageId) -> Result<(), Error> {
    for _ in 1..TRIES {
        match delete_message(cx, sender, message).await {
            Err(Error::Conflict) => {}
            // The message was swept meanwhile.
            Err(Error::Refused(Refused::MessageNotFound)) => return Ok(()),
            other => return other,
        }
    }
    delete_message(cx, sender, message).await
}
