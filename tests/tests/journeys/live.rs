//! Live streams of payments: who may open one, and what it sends.

use journeys::{LiveStream, Mesh, StreamItem};
use proto::types::v1::PaymentStatus;
use serde_json::json;
use tonic::Code;
use types::Money;

#[tokio::test]
async fn only_the_payer_can_watch_a_payment() {
    let mesh = Mesh::from_env();
    let (player, stranger) = (mesh.new_player().await, mesh.new_player().await);
    player.set_handset(json!({"stk": "manual"})).await;
    let id = player.top_up(100).await;

    let by_stranger = LiveStream::call(&mesh, &[&id]).bearer_auth(&stranger.access_token);
    assert_eq!(LiveStream::refused(by_stranger).await, Code::PermissionDenied);
    for token in ["", "nonsense", &stranger.access_token[1..]] {
        let call = LiveStream::call(&mesh, &[&id]).bearer_auth(token);
        assert_eq!(LiveStream::refused(call).await, Code::Unauthenticated, "{token:.10}");
    }
    assert_eq!(LiveStream::refused(LiveStream::call(&mesh, &[&id])).await, Code::Unauthenticated);

    // One foreign payment refuses the whole stream.
    stranger.set_handset(json!({"stk": "manual"})).await;
    let own = stranger.top_up(100).await;
    let both = LiveStream::call(&mesh, &[&own, &id]).bearer_auth(&stranger.access_token);
    assert_eq!(LiveStream::refused(both).await, Code::PermissionDenied);
    stranger.watch(&[&own]).await;
}

#[tokio::test]
async fn an_invalid_subscription_is_refused_before_hello() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    let unknown = mesh.unique_id();
    let many: Vec<String> = (0..21).map(|_| mesh.unique_id()).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    for (payments, code) in [
        (&[][..], Code::InvalidArgument),
        (&many[..], Code::InvalidArgument),
        (&[unknown.as_str()][..], Code::PermissionDenied),
    ] {
        let call = LiveStream::call(&mesh, payments).bearer_auth(&player.access_token);
        assert_eq!(LiveStream::refused(call).await, code, "{} payments", payments.len());
    }
}

#[tokio::test]
async fn a_stream_ends_once_all_its_payments_are_final() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    player.set_handset(json!({"stk": "approve"})).await;
    let paid = player.top_up(100).await;
    player.until_final(&paid).await;
    player.set_handset(json!({"stk": "cancel", "delayMs": 1_500})).await;
    let refused = player.top_up(50).await;

    let mut stream = player.watch(&[&paid, &refused]).await;
    let mut last = std::collections::HashMap::new();
    let end = loop {
        match stream.next().await {
            StreamItem::Event(proto::live::v1::live_event::Event::Payment(update)) => {
                last.insert(update.payment_id.clone(), update.status());
            }
            StreamItem::Event(_) => {}
            end => break end,
        }
    };
    assert_eq!(end, StreamItem::End(Code::Ok));
    assert_eq!(last[&paid], PaymentStatus::Completed);
    assert_eq!(last[&refused], PaymentStatus::Error);
    player.reconcile(Money::from_shillings(100)).await;
}

#[tokio::test]
async fn a_final_payment_is_sent_at_once_and_ends_the_stream() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    player.set_handset(json!({"stk": "cancel"})).await;
    let id = player.top_up(100).await;
    player.until_final(&id).await;
    let mut stream = player.watch(&[&id]).await;
    assert_eq!(stream.payment().await.status(), PaymentStatus::Error);
    assert_eq!(stream.next().await, StreamItem::End(Code::Ok));
}
