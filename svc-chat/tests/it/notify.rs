//! `BatchNotify`: storing services' notifications to players.

use std::{collections::BTreeMap, time::Duration};

use proto::{
    chat::v1::{ListNotificationsRequest, NewNotification, NotificationKind},
    timestamp,
};
use testkit::BEGINNING;
use tonic::Code;

use crate::harness::{Service, params, reason};

#[tokio::test]
async fn a_notification_is_in_the_players_list_and_in_no_other() {
    let service = Service::start().await;
    let ((player, token), (_, stranger)) = (service.tokens.player(), service.tokens.player());
    let request = NewNotification {
        kind: NotificationKind::BoostReceived.into(),
        params: BTreeMap::from([
            ("amount".to_owned(), "KES 75.00".to_owned()),
            ("from".to_owned(), "amina".to_owned()),
        ]),
        ..service.credited(player, "payment/1/credited")
    };

    service.notify(request.clone()).await.unwrap();

    let list = service.newest(&token).await;
    assert_eq!(list.len(), 1);
    assert_eq!(list[0].kind(), NotificationKind::BoostReceived);
    assert_eq!(params(&list[0]), request.params);
    assert_eq!(list[0].occurred_at, Some(timestamp(BEGINNING)));
    assert!(!list[0].read);
    assert!(service.newest(&stranger).await.is_empty());
}

#[tokio::test]
async fn the_results_of_tournaments_are_in_the_list_with_their_parameters() {
    let service = Service::start().await;
    let (player, token) = service.tokens.player();
    let kinds = [
        (NotificationKind::AwardWon, ["award", "rank", "tournament"]),
        (NotificationKind::CashAwardWon, ["amount", "rank", "tournament"]),
        (NotificationKind::CashAwardRefused, ["amount", "reason", "tournament"]),
        (NotificationKind::TournamentResult, ["players", "rank", "tournament"]),
    ];
    for (kind, names) in kinds {
        let request = NewNotification {
            kind: kind.into(),
            params: names.map(|name| (name.to_owned(), "4".to_owned())).into(),
            ..service.credited(player, &format!("tournament/1/{}", kind.as_str_name()))
        };
        service.notify_as("svc-tournament", vec![request.clone()]).await.unwrap();
        let newest = service.newest(&token).await.remove(0);
        assert_eq!((newest.kind(), params(&newest)), (kind, request.params));
        service.clock.advance(Duration::from_secs(1));
    }
}

#[tokio::test]
async fn a_source_notifies_once_over_two_replicas() {
    let service = Service::start().await;
    let other = service.start_replica().await;
    let (player, token) = service.tokens.player();
    let request = service.credited(player, "payment/1/credited");

    let calls = (0..8).map(|call| {
        let replica = if call % 2 == 0 { &service } else { &other };
        replica.notify(request.clone())
    });
    for outcome in futures_util::future::join_all(calls).await {
        outcome.unwrap();
    }

    assert_eq!(service.newest(&token).await.len(), 1);
    // A source that another service names alike is another source.
    service.notify_as("svc-tournament", vec![request]).await.unwrap();
    assert_eq!(service.newest(&token).await.len(), 2);
}

#[tokio::test]
async fn a_repeat_does_not_make_a_read_notification_unread() {
    let service = Service::start().await;
    let (player, token) = service.tokens.player();
    let request = service.credited(player, "payment/1/credited");
    service.notify(request.clone()).await.unwrap();
    service.mark_read(&token, &[]).await.unwrap();

    service.notify(request).await.unwrap();

    assert!(service.newest(&token).await[0].read);
}

#[tokio::test]
async fn other_content_under_the_same_source_is_refused() {
    let service = Service::start().await;
    let ((player, token), (stranger, _)) = (service.tokens.player(), service.tokens.player());
    let first = service.credited(player, "payment/1/credited");
    service.notify(first.clone()).await.unwrap();

    let params = BTreeMap::from([("amount".to_owned(), "KES 9.00".to_owned())]);
    for other in [
        NewNotification { player_id: stranger.to_string(), ..first.clone() },
        NewNotification { params, ..first.clone() },
    ] {
        let refused = service.notify(other).await.unwrap_err();
        assert_eq!(reason(&refused), "IDEMPOTENCY_KEY_REUSED");
    }
    assert_eq!(service.newest(&token).await.len(), 1);
}

#[tokio::test]
async fn a_notification_that_could_not_be_written_is_refused() {
    let service = Service::start().await;
    let (player, token) = service.tokens.player();
    let good = service.credited(player, "payment/1/credited");
    for bad in [
        NewNotification { source: String::new(), ..good.clone() },
        NewNotification { player_id: "nine".into(), ..good.clone() },
        NewNotification { kind: 0, ..good.clone() },
        NewNotification { kind: 4_711, ..good.clone() },
        NewNotification { params: BTreeMap::new(), ..good.clone() },
        NewNotification { occurred_at: None, ..good.clone() },
    ] {
        let refused = service.notify(bad.clone()).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument, "{bad:?}");
    }
    assert!(service.newest(&token).await.is_empty());
}

#[tokio::test]
async fn notifications_of_one_call_are_stored_together_with_those_that_repeat() {
    let service = Service::start().await;
    let ((amina, amina_token), (juma, juma_token)) =
        (service.tokens.player(), service.tokens.player());
    let repeated = service.credited(amina, "payment/1");
    service.notify(repeated.clone()).await.unwrap();

    let of = |number: u32| service.credited(juma, &format!("payment/{number}"));
    let mut all: Vec<_> = (2..101).map(of).collect();
    all.push(repeated);
    service.notify_as("svc-wallet", all.clone()).await.unwrap();
    service.notify_as("svc-wallet", all.clone()).await.unwrap();

    assert_eq!(service.newest(&amina_token).await.len(), 1);
    let request = ListNotificationsRequest { page_size: 100, ..Default::default() };
    assert_eq!(service.list(&juma_token, request).await.unwrap().len(), 99);

    // One notification more than the contract allows, and none.
    all.push(of(101));
    for refused in [all, vec![]] {
        let refused = service.notify_as("svc-wallet", refused).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument);
    }
}

#[tokio::test]
async fn of_a_call_with_one_wrong_notification_none_is_stored() {
    let service = Service::start().await;
    let (player, token) = service.tokens.player();
    let first = service.credited(player, "payment/1");
    service.notify(first.clone()).await.unwrap();
    let (stranger, _) = service.tokens.player();
    let other = NewNotification { player_id: stranger.to_string(), ..first };

    let both = vec![service.credited(player, "payment/2"), other];
    let refused = service.notify_as("svc-wallet", both).await.unwrap_err();

    assert_eq!(reason(&refused), "IDEMPOTENCY_KEY_REUSED");
    assert_eq!(service.newest(&token).await.len(), 1);
}

#[tokio::test]
async fn only_services_with_an_edge_may_notify() {
    let service = Service::start().await;
    let (player, _) = service.tokens.player();
    let request = service.credited(player, "payment/1/credited");
    let refused = service.notify_as("gateway", vec![request]).await.unwrap_err();
    assert_eq!(refused.code(), Code::PermissionDenied);
}

#[tokio::test]
async fn a_kind_of_a_newer_replica_is_listed_without_one() {
    let service = Service::start().await;
    let (player, token) = service.tokens.player();
    service.notify(service.credited(player, "payment/1/credited")).await.unwrap();
    sqlx::query("UPDATE notification SET kind = 'RAINED_MONEY'")
        .execute(&service.database.pool)
        .await
        .unwrap();
    let request = ListNotificationsRequest::default();
    let list = service.list(&token, request).await.unwrap();
    assert_eq!(list[0].kind(), NotificationKind::Unspecified);
}
