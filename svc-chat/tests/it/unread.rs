//! The unread messages and the last message of a member's rooms.

use proto::chat::v1::{ListRoomsRequest, MarkRoomReadRequest, Membership, SendMessageRequest};
use tonic::{Code, Status};

use crate::{
    harness::{Service, reason, signed},
    talk::text,
};

impl Service {
    /// The player's membership of the only room; `None` for a player who has not joined it.
    async fn membership(&self, token: &str) -> Option<Membership> {
        let request = signed(token, ListRoomsRequest {});
        let mut rooms = self.client.clone().list_rooms(request).await.unwrap().into_inner().rooms;
        rooms.remove(0).membership
    }

    /// The text of the last message, and the number of unread messages.
    async fn last_and_unread(&self, token: &str) -> (Option<String>, u32) {
        let membership = self.membership(token).await.expect("a member");
        (membership.last_message.map(|message| message.text), membership.unread_count)
    }

    async fn mark_room_read(&self, token: &str, room: &str, seq: u64) -> Result<(), Status> {
        let request = MarkRoomReadRequest { chat_room_id: room.to_owned(), seq };
        self.client.clone().mark_room_read(signed(token, request)).await.map(drop)
    }
}

fn all_read(words: &str) -> (Option<String>, u32) {
    (Some(words.to_owned()), 0)
}

#[tokio::test]
async fn members_alone_see_the_last_message_and_what_is_unread() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (_, sender) = service.member("lobby").await;
    service.send(&sender, text("lobby", "Habari", "1")).await.unwrap();
    let (_, reader) = service.member("lobby").await;
    assert_eq!(
        service.last_and_unread(&reader).await,
        all_read("Habari"),
        "sent before the reader came"
    );
    for (id, words) in [("2", "Karibu"), ("3", "Asante")] {
        service.send(&sender, text("lobby", words, id)).await.unwrap();
    }
    assert_eq!(service.last_and_unread(&reader).await, (Some("Asante".to_owned()), 2));
    let (_, stranger) = service.tokens.player();
    assert_eq!(service.membership(&stranger).await, None);
}

#[tokio::test]
async fn a_mark_only_moves_on_and_not_beyond_the_newest_message() {
    let service = Service::start().await;
    let room = service.open_room("lobby").await;
    let (_, sender) = service.member("lobby").await;
    let (_, reader) = service.member("lobby").await;
    for id in ["1", "2", "3"] {
        service.send(&sender, text("lobby", "Habari", id)).await.unwrap();
    }
    for (room, seq, unread) in [("lobby", 2, 1), ("lobby", 1, 1), (&*room, u64::MAX, 0)] {
        service.mark_room_read(&reader, room, seq).await.unwrap();
        assert_eq!(service.last_and_unread(&reader).await.1, unread, "after {seq}");
    }
    service.send(&sender, text("lobby", "Asante", "4")).await.unwrap();
    assert_eq!(service.last_and_unread(&reader).await.1, 1);
    let (_, stranger) = service.tokens.player();
    let refused = service.mark_room_read(&stranger, "lobby", 1).await.unwrap_err();
    assert_eq!((refused.code(), &*reason(&refused)), (Code::PermissionDenied, "NOT_A_MEMBER"));
}

#[tokio::test]
async fn own_and_removed_messages_and_those_of_blocked_players_are_not_unread() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (_, sender) = service.member("lobby").await;
    let (blocked, other) = service.member("lobby").await;
    let (_, reader) = service.member("lobby").await;
    service.send(&reader, text("lobby", "Mambo", "0")).await.unwrap();
    service.send(&sender, text("lobby", "Habari", "1")).await.unwrap();
    let removed = service.send(&sender, text("lobby", "Samahani", "2")).await.unwrap();
    service.remove(&sender, &removed).await;
    assert_eq!(service.last_and_unread(&reader).await, (Some("Habari".to_owned()), 1));
    service.send(&other, text("lobby", "Nunua hapa", "3")).await.unwrap();
    assert_eq!(service.last_and_unread(&reader).await, (Some("Nunua hapa".to_owned()), 2));
    service.block(&reader, &blocked.to_string()).await.unwrap();
    assert_eq!(service.last_and_unread(&reader).await, (Some("Habari".to_owned()), 1));
}

#[tokio::test]
async fn a_long_message_is_cut() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (_, sender) = service.member("lobby").await;
    let long = SendMessageRequest { text: "ü".repeat(4_000), ..text("lobby", "", "1") };
    service.send(&sender, long).await.unwrap();
    assert_eq!(service.last_and_unread(&sender).await.0, Some("ü".repeat(200)));
}

#[tokio::test]
async fn a_membership_of_an_older_release_has_nothing_unread_until_it_is_read() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (_, sender) = service.member("lobby").await;
    let (_, reader) = service.member("lobby").await;
    sqlx::query("UPDATE membership SET read_seq = NULL")
        .execute(&service.database.pool)
        .await
        .unwrap();
    service.send(&sender, text("lobby", "Habari", "1")).await.unwrap();
    assert_eq!(service.last_and_unread(&reader).await, all_read("Habari"));
    service.mark_room_read(&reader, "lobby", 1).await.unwrap();
    service.send(&sender, text("lobby", "Karibu", "2")).await.unwrap();
    assert_eq!(service.last_and_unread(&reader).await.1, 1);
}
