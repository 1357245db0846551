//! What the mesh promises about time, measured while nobody else is at it.

use journeys::Mesh;
use proto::types::v1::PaymentStatus;
use serde_json::json;
use time::Duration;
use types::Money;

/// From the callback to the waiting screen.
const NEWS: Duration = Duration::milliseconds(300);

#[tokio::test]
async fn the_waiting_screen_knows_within_300_ms_of_the_callback() {
    let mesh = Mesh::alone();
    let player = mesh.newcomer().await;
    for _ in 0..5 {
        player.habit(json!({"stk": "approve", "delayMs": 700})).await;
        let id = player.top_up(10).await;
        let mut stream = player.watch(&[&id]).await;
        while stream.payment().await.status() != PaymentStatus::Completed {}
        let told = mesh.clock().now();

        let push = mesh.sandbox().pushes_to(&player.phone).await.remove(0);
        let paid = push.settled.expect("it is paid").at;
        assert!(told - paid < NEWS, "it took {}", told - paid);
    }
    player.reconcile(Money::from_shillings(50)).await;
}
