//! Notifications of money, while svc-chat is killed in between: each arrives once, and eventually.

use journeys::{KilledProcess, LiveStream, Mesh, Player, Process, StreamItem, eventually};
use proto::live::v1::{NotificationsUpdate, SubscribeRequest, live_event::Event};
use serde_json::{Value, json};
use types::Money;

#[tokio::test]
async fn a_top_up_is_told_once_though_svc_chat_was_killed_in_between() {
    let mesh = Mesh::alone();
    let player = mesh.new_player().await;
    player.set_handset(json!({"stk": "approve"})).await;
    let request = SubscribeRequest { notifications: true, ..SubscribeRequest::default() };
    let call = LiveStream::call_for(&mesh, &request).bearer_auth(&player.access_token);
    let mut stream = LiveStream::open(call).await;
    assert_eq!(state(&mut stream).await, NotificationsUpdate::default(), "nothing yet");

    let first = player.top_up(100).await;
    player.until_final(&first).await;
    assert_eq!(state(&mut stream).await.unread, 1);
    let list = notifications(&player).await;
    assert_eq!(list[0]["kind"], "TOP_UP_COMPLETED");
    assert_eq!(list[0]["body"], "Your top-up of KES 100.00 is in. Time to play!");

    // Money moves without svc-chat.
    let killed = Process::find(&mesh, "svc-chat").kill().await;
    let second = player.top_up(200).await;
    assert_eq!(player.until_final(&second).await["status"], "COMPLETED");
    player.reconcile(Money::from_shillings(300)).await;
    restart(killed, &player).await;
    let list = eventually("the second notification", || async {
        let list = notifications(&player).await;
        (list.len() == 2).then_some(list)
    })
    .await;
    assert_eq!(list[0]["body"], "Your top-up of KES 200.00 is in. Time to play!", "newest first");

    // Neither the outbox's delivery nor another restart repeats a notification.
    restart(Process::find(&mesh, "svc-chat").kill().await, &player).await;
    let third = player.top_up(300).await;
    player.until_final(&third).await;
    let list = eventually("the third notification", || async {
        let list = notifications(&player).await;
        (list.len() > 2).then_some(list)
    })
    .await;
    assert_eq!(list.len(), 3, "{list:?}");

    // A notification that is read on one device is read on all.
    let call = LiveStream::call_for(&mesh, &request).bearer_auth(&player.access_token);
    let mut stream = LiveStream::open(call).await;
    let newest_id = list[0]["id"].as_str().unwrap().to_owned();
    let unread = NotificationsUpdate { unread: 3, newest_id: newest_id.clone() };
    assert_eq!(state(&mut stream).await, unread);
    player.post("/profile/notifications/read", &json!({"ids": [newest_id]})).await.ok();
    assert_eq!(state(&mut stream).await.unread, 2);
    player.post("/profile/notifications/read", &json!({})).await.ok();
    assert_eq!(state(&mut stream).await.unread, 0);
    let unread = player.get("/profile/notifications/unread").await.ok();
    assert_eq!(unread, json!({"unread": 0}));
    player.reconcile(Money::from_shillings(600)).await;
}

async fn notifications(player: &Player) -> Vec<Value> {
    let list = player.get("/profile/notifications").await.ok();
    list.as_array().unwrap().clone()
}

/// The next state of the notifications; heartbeats and pauses are skipped.
async fn state(stream: &mut LiveStream) -> NotificationsUpdate {
    loop {
        match stream.next().await {
            StreamItem::Event(Event::Notifications(state)) => return state,
            StreamItem::Event(Event::Heartbeat(_) | Event::Paused(_) | Event::Resumed(_)) => {}
            other => panic!("instead of a state of notifications: {other:?}"),
        }
    }
}

/// Restarts svc-chat, and waits until the gateway reaches it.
async fn restart(chat: KilledProcess, player: &Player) {
    chat.restart().await;
    eventually("the gateway reaches svc-chat again", || async {
        (player.get("/profile/notifications/unread").await.status == 200).then_some(())
    })
    .await;
}
