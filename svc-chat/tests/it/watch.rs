//! Watching the state of a player's notifications.

use std::time::Duration;

use proto::chat::v1::{WatchNotificationsRequest, WatchNotificationsResponse};
use tokio::time::timeout;
use tonic::{Code, Streaming};

use crate::harness::{Service, signed};

/// The time limit for a state that a hint triggers: shorter than the interval after which a watcher
/// reads without hints.
const SOON: Duration = Duration::from_secs(10);

impl Service {
    async fn watch(&self, token: &str) -> Streaming<WatchNotificationsResponse> {
        let request = signed(token, WatchNotificationsRequest {});
        self.notifications.clone().watch_notifications(request).await.unwrap().into_inner()
    }
}

async fn next(stream: &mut Streaming<WatchNotificationsResponse>) -> WatchNotificationsResponse {
    timeout(SOON, stream.message()).await.expect("a state").unwrap().unwrap()
}

#[tokio::test]
async fn the_current_state_comes_first_and_then_each_change_on_every_replica() {
    let service = Service::start().await;
    let other = service.start_replica().await;
    let (player, token) = service.tokens.player();
    let mut streams = [service.watch(&token).await, other.watch(&token).await];
    for stream in &mut streams {
        assert_eq!(next(stream).await, WatchNotificationsResponse::default());
    }

    service.notify(service.credited(player, "payment/1")).await.unwrap();
    let newest_id = service.newest(&token).await.remove(0).id;
    for stream in &mut streams {
        let state = WatchNotificationsResponse { unread: 1, newest_id: newest_id.clone() };
        assert_eq!(next(stream).await, state);
    }

    other.mark_read(&token, &[]).await.unwrap();
    for stream in &mut streams {
        let state = WatchNotificationsResponse { unread: 0, newest_id: newest_id.clone() };
        assert_eq!(next(stream).await, state);
    }
}

#[tokio::test]
async fn a_watcher_hears_of_no_other_player() {
    let service = Service::start().await;
    let ((_, token), (stranger, _)) = (service.tokens.player(), service.tokens.player());
    let mut stream = service.watch(&token).await;
    next(&mut stream).await;
    service.notify(service.credited(stranger, "payment/1")).await.unwrap();
    let heard = timeout(Duration::from_millis(300), stream.message()).await;
    assert!(heard.is_err(), "{heard:?}");
}

#[tokio::test]
async fn a_stop_ends_the_stream_with_unavailable() {
    let service = Service::start().await;
    let (_, token) = service.tokens.player();
    let mut stream = service.watch(&token).await;
    next(&mut stream).await;
    service.shutdown.stop();
    let end = timeout(SOON, stream.message()).await.expect("an end").unwrap_err();
    assert_eq!(end.code(), Code::Unavailable);
}
