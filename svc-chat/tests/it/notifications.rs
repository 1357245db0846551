//! A player's own notifications: the list, the unread count and the retention.

use std::time::Duration;

use proto::chat::v1::{
    CountUnreadNotificationsRequest, ListNotificationsRequest, MarkNotificationsReadRequest,
};
use testkit::eventually;
use tonic::{Code, Status};
use types::PlayerId;

use crate::harness::{Service, reason, signed};

impl Service {
    pub(crate) async fn mark_read(&self, token: &str, ids: &[&str]) -> Result<(), Status> {
        let ids = ids.iter().map(ToString::to_string).collect();
        let request = signed(token, MarkNotificationsReadRequest { ids });
        self.notifications.clone().mark_notifications_read(request).await.map(drop)
    }

    async fn unread(&self, token: &str) -> u32 {
        let request = signed(token, CountUnreadNotificationsRequest {});
        let reply = self.notifications.clone().count_unread_notifications(request).await;
        reply.unwrap().into_inner().unread
    }

    /// Sends a player `count` notifications, a second apart.
    async fn notify_many(&self, player: PlayerId, count: usize) {
        for number in 0..count {
            self.clock.advance(Duration::from_secs(1));
            self.notify(self.credited(player, &format!("payment/{number}"))).await.unwrap();
        }
    }
}

#[tokio::test]
async fn lists_that_are_asked_for_at_the_same_time_are_each_players_own() {
    let service = Service::start().await;
    let players = [1, 4, 0].map(|count| (service.tokens.player(), count));
    for ((player, _), count) in &players {
        for number in 0..*count {
            let source = format!("payment/{player}/{number}");
            service.clock.advance(Duration::from_secs(1));
            service.notify(service.credited(*player, &source)).await.unwrap();
        }
    }
    let calls = players.iter().cycle().take(30).map(async |((_, token), count)| {
        let list = service.newest(token).await;
        assert_eq!(list.len(), *count);
        assert!(list.is_sorted_by(|newer, older| newer.id > older.id));
        let rest = ListNotificationsRequest { page: 1, page_size: 3, ..Default::default() };
        let rest = service.list(token, rest).await.unwrap();
        assert!(rest.iter().eq(list.iter().skip(3)));
    });
    futures_util::future::join_all(calls).await;
}

#[tokio::test]
async fn pages_go_on_by_number_or_after_the_last_one_that_the_reader_has() {
    let service = Service::start().await;
    let (player, token) = service.tokens.player();
    service.notify_many(player, 5).await;
    let all: Vec<_> = service.newest(&token).await.into_iter().map(|one| one.id).collect();
    let mut newest_first = all.clone();
    newest_first.sort();
    newest_first.reverse();
    assert_eq!(all, newest_first);
    let page = async |page, before_id: &str| {
        let request = ListNotificationsRequest { page, page_size: 2, before_id: before_id.into() };
        let list = service.list(&token, request).await.unwrap();
        list.into_iter().map(|one| one.id).collect::<Vec<_>>()
    };

    for (number, expected) in [(0, &all[..2]), (1, &all[2..4]), (2, &all[4..]), (3, &[])] {
        assert_eq!(page(number, "").await, expected);
    }
    assert_eq!(page(0, &all[1]).await, all[2..4]);
    // A new notification at the head does not shift the following ones.
    service.notify(service.credited(player, "payment/new")).await.unwrap();
    assert_eq!(page(0, &all[1]).await, all[2..4]);
    assert_eq!(page(1, &all[1]).await, all[4..]);
}

#[tokio::test]
async fn a_page_has_limits() {
    let service = Service::start().await;
    let (_, token) = service.tokens.player();
    for bad in [
        ListNotificationsRequest { page_size: 101, ..Default::default() },
        ListNotificationsRequest { page: u32::MAX, ..Default::default() },
        ListNotificationsRequest { before_id: "nine".into(), ..Default::default() },
    ] {
        let refused = service.list(&token, bad.clone()).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument, "{bad:?}");
    }
}

#[tokio::test]
async fn reads_are_marked_one_by_one_or_all_at_once() {
    let service = Service::start().await;
    let ((player, token), (stranger, other)) = (service.tokens.player(), service.tokens.player());
    service.notify_many(player, 3).await;
    service.notify(service.credited(stranger, "payment/other")).await.unwrap();
    assert_eq!(service.unread(&token).await, 3);
    let list = service.newest(&token).await;
    let foreign = service.newest(&other).await.remove(0).id;

    // Another player's notification is refused alone, and ignored beside one of the caller's.
    let refused = service.mark_read(&token, &[&foreign]).await.unwrap_err();
    let not_found = (Code::NotFound, "NOTIFICATION_NOT_FOUND");
    assert_eq!((refused.code(), &*reason(&refused)), not_found);
    for _ in 0..2 {
        service.mark_read(&token, &[&list[1].id, &foreign]).await.unwrap();
    }
    let read: Vec<_> = service.newest(&token).await.into_iter().map(|one| one.read).collect();
    assert_eq!(read, [false, true, false]);
    assert_eq!(service.unread(&token).await, 2);

    service.mark_read(&token, &[]).await.unwrap();
    assert_eq!(service.unread(&token).await, 0);
    assert_eq!(service.unread(&other).await, 1, "another player's stay unread");
    service.mark_read(&token, &[]).await.unwrap();
    service.mark_read(&token, &[&list[2].id]).await.unwrap();
    let refused = service.mark_read(&token, &["nine"]).await.unwrap_err();
    assert_eq!(refused.code(), Code::InvalidArgument);
    let refused = service.mark_read(&token, &["9"; 101]).await.unwrap_err();
    assert_eq!(refused.code(), Code::InvalidArgument);
}

#[tokio::test]
async fn unread_notifications_are_counted_to_a_hundred() {
    let service = Service::start().await;
    let (player, token) = service.tokens.player();
    sqlx::query(
        "INSERT INTO notification SELECT $1, gen_random_uuid(), 'TOP_UP_COMPLETED', '{}', 'svc-wallet',
             'payment/' || number, now(), now() FROM generate_series(1, 150) AS number",
    )
    .bind(player.uuid())
    .execute(&service.database.pool)
    .await
    .unwrap();
    assert_eq!(service.unread(&token).await, 100);
}

#[tokio::test]
async fn guests_have_no_notifications() {
    let service = Service::start().await;
    let request = ListNotificationsRequest::default();
    let refused = service.notifications.clone().list_notifications(request).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unauthenticated);
}

#[tokio::test]
async fn old_notifications_are_removed_by_one_of_two_replicas() {
    let service = Service::start().await;
    let (player, _) = service.tokens.player();
    service.notify_many(player, 3).await;
    service.clock.advance(Duration::from_hours(24 * 90) + Duration::from_secs(1));
    service.notify(service.credited(player, "payment/new")).await.unwrap();
    let token = service.tokens.token(player);
    // Each replica sweeps when it starts.
    let _replicas = (service.start_replica().await, service.start_replica().await);
    eventually("the old ones are removed", || async {
        (service.newest(&token).await.len() == 1).then_some(())
    })
    .await;
    assert!(!service.newest(&token).await[0].read);
}
