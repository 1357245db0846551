//! The notification that an account was opened on a new device.

use std::time::Duration;

use proto::chat::v1::NotificationKind;

use crate::harness::{PASSWORD, Service};

impl Service {
    async fn until_notified(&self, times: usize) {
        testkit::eventually("the notifications are stored", || async {
            (self.notifications.stored().len() == times).then_some(())
        })
        .await;
    }

    async fn until_nothing_waits(&self) {
        testkit::eventually("no delivery waits", || async {
            let waiting = "SELECT count(*) FROM outbox WHERE topic = 'notify.new_device'";
            let waiting: i64 =
                sqlx::query_scalar(waiting).fetch_one(&self.database.pool).await.unwrap();
            (waiting == 0).then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn a_player_is_notified_of_each_new_device_once() {
    let auth = Service::start().await;
    let first = auth.player("wanjiru").await;
    auth.clock.advance(Duration::from_mins(1));
    let second = auth.sign_in_on("", "wanjiru@example.com", PASSWORD).await.unwrap();
    auth.until_notified(1).await;
    let notification = auth.notifications.stored().remove(0);
    assert_eq!(notification.player_id, first.uid);
    assert_eq!(notification.kind(), NotificationKind::NewDevice);
    let at = notification.occurred_at.unwrap();
    assert_eq!(at.seconds, (testkit::BEGINNING + Duration::from_mins(1)).unix_timestamp());

    // Neither the device of the sign-up nor one that is known by now is new.
    for device in [&first.device_token, &second.device_token] {
        auth.sign_in_on(device, "wanjiru@example.com", PASSWORD).await.unwrap();
    }
    auth.until_nothing_waits().await;
    assert_eq!(auth.notifications.stored().len(), 1);
    auth.sign_in_on("", "wanjiru@example.com", PASSWORD).await.unwrap();
    auth.until_notified(2).await;
}

#[tokio::test]
async fn a_lost_reply_of_svc_chat_notifies_nobody_twice() {
    let auth = Service::start().await;
    auth.player("wanjiru").await;
    auth.notifications.lose_replies(1);
    auth.sign_in_on("", "wanjiru@example.com", PASSWORD).await.unwrap();
    auth.until_notified(1).await;
    // The call is idempotent, so the client repeats it at once.
    auth.until_nothing_waits().await;
    assert_eq!(auth.notifications.stored().len(), 1);
}
