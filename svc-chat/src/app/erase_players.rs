//! Erases the data of players whose accounts svc-auth erased.

use std::time::Duration;

use mesh::{instrument, jobs::Round};
use time::OffsetDateTime;
use tracing::info;
use types::{ErasedPlayer, PlayerId, uuid::Uuid};

use super::{
    Cx, delete_message::delete_message, room_change::RoomChange, room_changed::publish_room_changed,
};
use crate::{
    domain::MessageId,
    error::{Error, Refused},
    store::{
        self,
        erasure::{Page, Progress},
    },
};

/// Players whom svc-auth lists at once.
const PAGE: usize = 100;
/// The longest that an erased player waits for others to fill a page, from the erasure in svc-auth.
const WAIT: Duration = Duration::from_hours(8);
/// Messages that one statement looks through.
const LOOKED_THROUGH: i64 = 5_000;
/// How often the removal of a message is tried when it conflicts with another transaction on its
/// room.
const TRIES: u32 = 5;

/// Erases the next players of svc-auth's list. Every step can be repeated, and the list continues
/// after these players only once all of them are erased, so that none is missed when the process
/// dies.
#[instrument(name = "chat.erase_players", skip_all)]
pub(crate) async fn erase_players(cx: &Cx) -> Result<Round, Error> {
    let progress = {
        let mut conn = cx.db.acquire().await?;
        store::erasure::lease(&mut conn).await?
    };
    let Some(progress) = progress else { return Ok(Round::Done) };
    let erased = erase_page(cx, progress).await;
    // The lease also ends after a failure, so that no replica waits until it expires.
    let mut conn = cx.db.acquire().await?;
    store::erasure::end_lease(&mut conn).await?;
    erased
}

async fn erase_page(cx: &Cx, Progress { last, page }: Progress) -> Result<Round, Error> {
    let listed = cx.erased_players.after(last).await?;
    // Only the players of the page that was begun: the list may be longer by now, and the rooms
    // before `page.room` were not searched for the messages of the others.
    let begun = page.and_then(|page| {
        let erased: Vec<_> = listed.iter().copied().filter(|one| *one <= page.end).collect();
        (!erased.is_empty()).then_some((erased, page.room))
    });
    let (erased, room) = match begun {
        Some(begun) => begun,
        None if is_due(&listed, cx.clock.now()) => (listed, Uuid::nil().into()),
        None => return Ok(Round::Done),
    };
    let Some(end) = erased.last().copied() else { return Ok(Round::Done) };
    let players: Vec<PlayerId> = erased.iter().map(|player| player.id).collect();
    for player in &players {
        erase_rows(cx, *player).await?;
    }
    if !erase_messages(cx, &players, Page { end, room }).await? {
        return Ok(Round::Done);
    }
    let mut conn = cx.db.acquire().await?;
    store::erasure::end_page(&mut conn, end).await?;
    info!(players = players.len(), "erased players");
    Ok(Round::More)
}

/// Whether a new page begins. A page waits for more players, because all messages are read for it.
fn is_due(listed: &[ErasedPlayer], now: OffsetDateTime) -> bool {
    listed.len() >= PAGE || listed.first().is_some_and(|first| first.at < now - WAIT)
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

/// Removes the players' messages from the rooms after `page.room`; false when the process stops
/// before the last room.
async fn erase_messages(cx: &Cx, players: &[PlayerId], mut page: Page) -> Result<bool, Error> {
    loop {
        let next = {
            let mut conn = cx.db.acquire().await?;
            store::erasure::next_room(&mut conn, page.room).await?
        };
        let Some((room, numbers)) = next else { return Ok(true) };
        let mut first = *numbers.start();
        while first <= *numbers.end() {
            if cx.shutdown.is_stopping() {
                return Ok(false);
            }
            let range = first..=first + (LOOKED_THROUGH - 1);
            first = range.end() + 1;
            let found = {
                let mut conn = cx.db.acquire().await?;
                store::erasure::renew_lease(&mut conn).await?;
                store::erasure::messages_of(&mut conn, players, room, range).await?
            };
            for (message, sender) in found {
                if cx.shutdown.is_stopping() {
                    return Ok(false);
                }
                remove(cx, sender, message).await?;
            }
        }
        page.room = room;
        let mut conn = cx.db.acquire().await?;
        store::erasure::set_page(&mut conn, &page).await?;
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
