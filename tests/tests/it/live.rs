//! Watching payments live: who may, and what is told.

use journeys::{Live, Mesh, News};
use proto::types::v1::PaymentStatus;
use serde_json::json;
use tonic::Code;
use types::Money;

#[tokio::test]
async fn a_payment_is_watched_by_its_payer_alone() {
    let mesh = Mesh::from_env();
    let (player, stranger) = (mesh.newcomer().await, mesh.newcomer().await);
    player.habit(json!({"stk": "manual"})).await;
    let id = player.top_up(100).await;

    let by_stranger = Live::call(&mesh, &[&id]).bearer_auth(&stranger.access_token);
    assert_eq!(Live::refused(by_stranger).await, Code::PermissionDenied);
    for token in ["", "nonsense", &stranger.access_token[1..]] {
        let call = Live::call(&mesh, &[&id]).bearer_auth(token);
        assert_eq!(Live::refused(call).await, Code::Unauthenticated, "{token:.10}");
    }
    assert_eq!(Live::refused(Live::call(&mesh, &[&id])).await, Code::Unauthenticated);

    // One payment that is not one's own refuses them all.
    stranger.habit(json!({"stk": "manual"})).await;
    let own = stranger.top_up(100).await;
    let both = Live::call(&mesh, &[&own, &id]).bearer_auth(&stranger.access_token);
    assert_eq!(Live::refused(both).await, Code::PermissionDenied);
    stranger.watch(&[&own]).await;
}

#[tokio::test]
async fn what_cannot_be_watched_is_refused_before_hello() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    let unknown = mesh.new_name();
    let many: Vec<String> = (0..21).map(|_| mesh.new_name()).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    for (payments, code) in [
        (&[][..], Code::InvalidArgument),
        (&many[..], Code::InvalidArgument),
        (&[unknown.as_str()][..], Code::PermissionDenied),
    ] {
        let call = Live::call(&mesh, payments).bearer_auth(&player.access_token);
        assert_eq!(Live::refused(call).await, code, "{} payments", payments.len());
    }
}

#[tokio::test]
async fn two_payments_on_one_stream_end_it_together() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    player.habit(json!({"stk": "approve"})).await;
    let paid = player.top_up(100).await;
    player.until_final(&paid).await;
    player.habit(json!({"stk": "cancel", "delayMs": 1_500})).await;
    let refused = player.top_up(50).await;

    let mut stream = player.watch(&[&paid, &refused]).await;
    let mut last = std::collections::HashMap::new();
    let end = loop {
        match stream.next().await {
            News::Event(proto::live::v1::live_event::Event::Payment(update)) => {
                last.insert(update.payment_id.clone(), update.status());
            }
            News::Event(_) => {}
            end => break end,
        }
    };
    assert_eq!(end, News::End(Code::Ok));
    assert_eq!(last[&paid], PaymentStatus::Completed);
    assert_eq!(last[&refused], PaymentStatus::Error);
    player.reconcile(Money::from_shillings(100)).await;
}

#[tokio::test]
async fn a_payment_that_ended_before_is_told_at_once() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    player.habit(json!({"stk": "cancel"})).await;
    let id = player.top_up(100).await;
    player.until_final(&id).await;
    let mut stream = player.watch(&[&id]).await;
    assert_eq!(stream.payment().await.status(), PaymentStatus::Error);
    assert_eq!(stream.next().await, News::End(Code::Ok));
}
