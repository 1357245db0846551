//! Joining and leaving rooms, and calls that only members may make.

use metrics_exporter_prometheus::PrometheusBuilder;
use proto::chat::v1::{ListJoinedRoomsRequest, ListRoomsRequest};
use tonic::Code;

use crate::{
    harness::{Service, reason, signed},
    talk::text,
};

impl Service {
    async fn joined(&self, token: &str) -> Vec<String> {
        let request = signed(token, ListJoinedRoomsRequest {});
        let reply = self.client.clone().list_joined_rooms(request).await.unwrap();
        reply.into_inner().chat_room_uids
    }

    async fn member_counts(&self, token: &str) -> Vec<u32> {
        let request = signed(token, ListRoomsRequest {});
        let rooms = self.client.clone().list_rooms(request).await.unwrap().into_inner().rooms;
        rooms.into_iter().map(|room| room.member_count).collect()
    }
}

#[tokio::test]
async fn a_player_joins_and_leaves_by_the_rooms_id_or_uid() {
    let service = Service::start().await;
    let id = service.open_room("lobby").await;
    service.open_room("ajua").await;
    let (_, token) = service.tokens.player();
    service.join(&token, &id).await.unwrap();
    service.join(&token, "ajua").await.unwrap();
    assert_eq!(service.joined(&token).await, ["ajua", "lobby"]);
    assert_eq!(service.member_counts(&token).await, [1, 1]);
    service.leave(&token, "lobby").await.unwrap();
    assert_eq!(service.joined(&token).await, ["ajua"]);
    assert_eq!(service.member_counts(&token).await, [1, 0]);
}

#[tokio::test]
async fn joining_twice_and_leaving_twice_change_nothing() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (_, token) = service.member("lobby").await;
    let refused = service.join(&token, "lobby").await.unwrap_err();
    assert_eq!(refused.code(), Code::AlreadyExists);
    assert_eq!(reason(&refused), "ALREADY_SUBSCRIBED");
    assert_eq!(service.member_counts(&token).await, [1]);
    service.leave(&token, "lobby").await.unwrap();
    let refused = service.leave(&token, "lobby").await.unwrap_err();
    assert_eq!((refused.code(), &*reason(&refused)), (Code::Aborted, "NOT_A_MEMBER"));
    assert_eq!(service.member_counts(&token).await, [0]);
}

#[tokio::test]
async fn players_who_join_and_leave_at_once_are_counted_right() {
    let service = Service::start().await;
    let other = service.start_replica().await;
    service.open_room("lobby").await;
    let moves = (0..40).map(|number| {
        let (service, token) =
            (if number % 2 == 0 { &service } else { &other }, service.tokens.player().1);
        async move {
            service.join(&token, "lobby").await.unwrap();
            if number % 4 == 0 {
                service.leave(&token, "lobby").await.unwrap();
            }
        }
    });
    futures_util::future::join_all(moves).await;
    let (_, token) = service.tokens.player();
    assert_eq!(service.member_counts(&token).await, [30]);
}

#[tokio::test]
async fn only_members_read_send_and_watch() {
    let service = Service::start().await;
    service.open_room("lobby").await;
    let (_, member) = service.member("lobby").await;
    service.send(&member, text("lobby", "Habari", "1")).await.unwrap();
    let (_, stranger) = service.tokens.player();
    let refusals = [
        service.page(&stranger, "lobby", 0).await.unwrap_err(),
        service.send(&stranger, text("lobby", "Habari", "1")).await.unwrap_err(),
        service.watch_room(&stranger, "lobby", 0).await.err().unwrap(),
    ];
    for refused in refusals {
        assert_eq!((refused.code(), &*reason(&refused)), (Code::PermissionDenied, "NOT_A_MEMBER"));
        assert_eq!(
            refused.message(),
            "You are not in this chat room. You can join it at any time."
        );
    }
    assert_eq!(service.page(&member, "lobby", 0).await.unwrap().messages.len(), 1);
}

#[tokio::test]
async fn a_room_that_does_not_exist_is_not_found() {
    let service = Service::start().await;
    let (_, token) = service.tokens.player();
    let refusals = [
        service.join(&token, "nowhere").await.unwrap_err(),
        service.leave(&token, "nowhere").await.unwrap_err(),
        service.page(&token, "nowhere", 0).await.unwrap_err(),
        service.send(&token, text("nowhere", "Habari", "1")).await.unwrap_err(),
    ];
    for refused in refusals {
        assert_eq!((refused.code(), &*reason(&refused)), (Code::NotFound, "ROOM_NOT_FOUND"));
    }
}

#[tokio::test]
async fn a_count_that_differs_from_the_memberships_raises_an_alarm() {
    // This test runs on one thread, so a thread-local recorder gets all its metrics.
    let recorder = PrometheusBuilder::new().build_recorder();
    let figures = recorder.handle();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let service = Service::start().await;
    service.open_room("lobby").await;
    service.member("lobby").await;
    let wrong = async |rooms: u32| {
        // The check runs when a service starts.
        let other = service.start_replica().await;
        let line = format!("chat_wrong_member_counts {rooms}\n");
        testkit::eventually("the check", async || figures.render().contains(&line).then_some(()))
            .await;
        drop(other);
    };
    wrong(0).await;
    sqlx::query("UPDATE room_counts SET members = 3")
        .execute(&service.database.pool)
        .await
        .unwrap();
    wrong(1).await;
}
