//! Applying, changing and removing rooms and contact settings.

use std::time::Duration;

use proto::{
    chat::v1::{
        ApplyChatRoomRequest, ApplyContactSettingRequest, ChatContentKind, ChatRoomManifest,
        ContactSettingManifest, DeleteChatContentRequest, ListChatContentRequest,
        ListContactSettingsRequest, ListRoomsRequest,
    },
    types::v1::Change,
};
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

use crate::harness::{Service, reason, signed};

pub(crate) fn lobby() -> ChatRoomManifest {
    ChatRoomManifest {
        key: "lobby".to_owned(),
        name: "The lobby".to_owned(),
        icon: "/content/lobby.svg".to_owned(),
        game: String::new(),
    }
}

fn setting(key: &str, value: &str) -> ContactSettingManifest {
    ContactSettingManifest { key: key.to_owned(), value: value.to_owned() }
}

impl Service {
    pub(crate) async fn apply_room(
        &self,
        room: ChatRoomManifest,
        dry_run: bool,
    ) -> Result<Change, Status> {
        let request = ApplyChatRoomRequest { room: Some(room), dry_run };
        Ok(self.admin.clone().apply_chat_room(request).await?.into_inner().change())
    }

    async fn apply_setting(&self, setting: ContactSettingManifest) -> Result<Change, Status> {
        let request = ApplyContactSettingRequest { setting: Some(setting), dry_run: false };
        Ok(self.admin.clone().apply_contact_setting(request).await?.into_inner().change())
    }

    pub(crate) async fn delete(&self, kind: ChatContentKind, key: &str, dry_run: bool) -> Change {
        let request = DeleteChatContentRequest { kind: kind.into(), key: key.to_owned(), dry_run };
        let deleted = self.admin.clone().delete_chat_content(request).await.unwrap();
        deleted.into_inner().change()
    }

    /// How many messages are stored.
    async fn stored(&self) -> i64 {
        self.count("SELECT count(*) FROM message").await
    }

    /// Operator, key and change of each audited change.
    async fn changes(&self) -> Vec<(String, String, String)> {
        let query = "SELECT operator, key, change FROM content_change ORDER BY changed_at, id";
        sqlx::query_as(query).fetch_all(&self.database.pool).await.unwrap()
    }
}

fn field(refused: &Status) -> String {
    assert_eq!(
        (refused.code(), reason(refused).as_str()),
        (Code::InvalidArgument, "INVALID_CONTENT")
    );
    refused.get_details_bad_request().unwrap().field_violations.remove(0).field
}

#[tokio::test]
async fn a_room_is_created_changed_and_left_alone() {
    let service = Service::start().await;
    assert_eq!(service.apply_room(lobby(), true).await.unwrap(), Change::Created);
    assert!(service.changes().await.is_empty(), "a dry run");
    assert_eq!(service.apply_room(lobby(), false).await.unwrap(), Change::Created);
    assert_eq!(service.apply_room(lobby(), false).await.unwrap(), Change::Unchanged);
    service.clock.advance(Duration::from_secs(1));
    let renamed = ChatRoomManifest { name: "Karibu".to_owned(), ..lobby() };
    assert_eq!(service.apply_room(renamed, false).await.unwrap(), Change::Updated);

    let (_, token) = service.tokens.player();
    let rooms = service.client.clone().list_rooms(signed(&token, ListRoomsRequest {})).await;
    let rooms = rooms.unwrap().into_inner().rooms;
    let [room] = rooms.as_slice() else { panic!("{rooms:?}") };
    assert_eq!((room.chat_room_uid.as_str(), room.name.as_str()), ("lobby", "Karibu"));
    assert_eq!(room.game_id, None);
    let change = |change: &str| ("playonctl".to_owned(), "lobby".to_owned(), change.to_owned());
    assert_eq!(service.changes().await, [change("Created"), change("Updated")]);
    service.database.assert_append_only("content_change").await;
}

#[tokio::test]
async fn a_room_can_be_about_a_game() {
    let service = Service::start().await;
    let bench = ChatRoomManifest { game: "ajua".to_owned(), ..lobby() };
    service.apply_room(bench.clone(), false).await.unwrap();
    assert_eq!(service.apply_room(bench.clone(), false).await.unwrap(), Change::Unchanged);
    let content = service.admin.clone().list_chat_content(ListChatContentRequest {}).await.unwrap();
    assert_eq!(content.into_inner().rooms, [bench]);

    let game = async || {
        let (_, token) = service.tokens.player();
        let rooms = service.client.clone().list_rooms(signed(&token, ListRoomsRequest {})).await;
        rooms.unwrap().into_inner().rooms.remove(0).game_id
    };
    assert_eq!(game().await, Some(types::content_id("Game", "ajua").to_string()));
    assert_eq!(service.apply_room(lobby(), false).await.unwrap(), Change::Updated);
    assert_eq!(game().await, None);
}

#[tokio::test]
async fn guests_read_how_to_reach_the_support() {
    let service = Service::start().await;
    for (name, value) in [
        ("Twitter", "https://x.com/playon"),
        ("Whatsapp", "+254 712 345 678"),
        ("Email", "help@playon.example"),
    ] {
        assert_eq!(service.apply_setting(setting(name, value)).await.unwrap(), Change::Created);
    }
    let again = setting("Email", "help@playon.example");
    assert_eq!(service.apply_setting(again).await.unwrap(), Change::Unchanged);

    let listed = service.client.clone().list_contact_settings(ListContactSettingsRequest {}).await;
    let settings = listed.unwrap().into_inner().settings;
    let names: Vec<_> = settings.iter().map(|setting| setting.name.as_str()).collect();
    assert_eq!(names, ["Email", "Whatsapp", "Twitter"]);
    assert_eq!(settings[0].value, "help@playon.example");
}

#[tokio::test]
async fn invalid_content_names_its_field() {
    let service = Service::start().await;
    for (room, expected) in [
        (ChatRoomManifest { key: "The lobby".to_owned(), ..lobby() }, "id"),
        (ChatRoomManifest { name: String::new(), ..lobby() }, "name"),
        (ChatRoomManifest { icon: "javascript:x".to_owned(), ..lobby() }, "icon"),
        (ChatRoomManifest { game: "No game".to_owned(), ..lobby() }, "game"),
    ] {
        assert_eq!(field(&service.apply_room(room, true).await.unwrap_err()), expected);
    }
    for (setting, expected) in
        [(setting("Fax", "1"), "id"), (setting("Instagram", "@playon"), "value")]
    {
        assert_eq!(field(&service.apply_setting(setting).await.unwrap_err()), expected);
    }
    assert!(service.changes().await.is_empty());
}

#[tokio::test]
async fn a_removed_room_takes_its_memberships_along() {
    let service = Service::start().await;
    service.apply_room(lobby(), false).await.unwrap();
    sqlx::query("INSERT INTO membership SELECT id, gen_random_uuid(), now() FROM room")
        .execute(&service.database.pool)
        .await
        .unwrap();
    service.clock.advance(Duration::from_secs(1));

    assert_eq!(service.delete(ChatContentKind::Room, "lobby", true).await, Change::Deleted);
    assert_eq!(service.changes().await.len(), 1, "a dry run");
    assert_eq!(service.delete(ChatContentKind::Room, "lobby", false).await, Change::Deleted);
    assert_eq!(service.delete(ChatContentKind::Room, "lobby", false).await, Change::Unchanged);
    let none = service.delete(ChatContentKind::ContactSetting, "Phone", false).await;
    assert_eq!(none, Change::Unchanged);

    let left: i64 = sqlx::query_scalar("SELECT count(*) FROM membership")
        .fetch_one(&service.database.pool)
        .await
        .unwrap();
    assert_eq!(left, 0);
    assert_eq!(service.changes().await.last().unwrap().2, "Deleted");
}

#[tokio::test]
async fn the_messages_of_a_removed_room_wait_thirty_days_for_it() {
    let service = Service::start().await;
    let room = |key: &str| ChatRoomManifest { key: key.to_owned(), ..lobby() };
    for key in ["first", "second", "again"] {
        service.apply_room(room(key), false).await.unwrap();
        let (_, token) = service.member(key).await;
        service.send_many(&token, key, 1..3).await;
    }
    service.delete(ChatContentKind::Room, "first", false).await;
    service.delete(ChatContentKind::Room, "again", false).await;
    service.clock.advance(Duration::from_hours(48));
    service.delete(ChatContentKind::Room, "second", false).await;
    service.apply_room(room("again"), false).await.unwrap();

    service.clock.advance(Duration::from_hours(29 * 24));
    // Jobs run at the start.
    let _other = service.start_replica().await;
    testkit::eventually("the sweep", async || (service.stored().await == 4).then_some(())).await;
    let waiting = "SELECT count(*) FROM removed_room";
    testkit::eventually("one room is forgotten", async || {
        (service.count(waiting).await == 1).then_some(())
    })
    .await;
    assert_eq!(service.stored().await, 4, "of the second, and of the one that is open again");
}

#[tokio::test]
async fn what_was_applied_is_listed_as_it_was_written() {
    let service = Service::start().await;
    service.apply_room(lobby(), false).await.unwrap();
    let phone = setting("Phone", "+254 20 123 4567");
    service.apply_setting(phone.clone()).await.unwrap();
    let content = service.admin.clone().list_chat_content(ListChatContentRequest {}).await;
    let content = content.unwrap().into_inner();
    assert_eq!((content.rooms, content.settings), (vec![lobby()], vec![phone]));
}

#[tokio::test]
async fn the_gateway_is_no_operator() {
    use proto::chat::v1::chat_admin_service_client::ChatAdminServiceClient;
    let service = Service::start().await;
    let mut gateway = ChatAdminServiceClient::new(service.as_gateway());
    let refused = gateway.list_chat_content(ListChatContentRequest {}).await.unwrap_err();
    assert_eq!(refused.code(), Code::PermissionDenied);
}
