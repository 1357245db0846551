//! The figures that operators are alarmed about.

use metrics_exporter_prometheus::PrometheusBuilder;
use proto::types::v1::PaymentStatus;
use serde_json::json;
use testkit::eventually;

use crate::world::World;

#[tokio::test]
async fn calls_that_a_provider_fails_are_counted_apart_from_those_that_it_refuses() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let figures = recorder.handle();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let world = World::new().await;
    let player = world.player();
    world.fault(json!({"provider": "daraja", "kind": "spike", "call": "stkpush"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::Error).await;
    world.phone(json!({"stk": "no_mpesa"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::Error).await;
    let push = r#"provider="daraja",call="/mpesa/stkpush/v1/processrequest""#;
    for outcome in ["failed", "refused"] {
        let series = format!("provider_calls_total{{{push},outcome=\"{outcome}\"}} 1\n");
        assert!(figures.render().contains(&series), "no {series} in {}", figures.render());
    }
    world.finish().await;
}

#[tokio::test]
async fn payments_are_counted_by_how_they_end() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let figures = recorder.handle();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let world = World::new().await;
    let player = world.player();
    world.give(&player, 1_000).await;
    world.phone(json!({"stk": "wrong_pin"})).await;
    let id = world.top_up(&player, 100).await;
    world.until(&player, &id, PaymentStatus::Error).await;
    world.phone(json!({"b2c": "not_registered"})).await;
    let id = world.withdraw(&player, 120).await;
    world.until(&player, &id, PaymentStatus::Error).await;
    for (kind, outcome) in
        [("TOPUP", "SUCCEEDED"), ("TOPUP", "WRONG_PIN"), ("WITHDRAWAL", "NOT_MPESA")]
    {
        let labels =
            format!(r#"kind="{kind}",method="MPESA",outcome="{outcome}",cause="callback""#);
        let series = format!("payments_ended_total{{{labels}}} 1\n");
        eventually("the payment is counted", || async {
            figures.render().contains(&series).then_some(())
        })
        .await;
    }
    let timed = r#"payment_success_seconds_count{kind="TOPUP",method="MPESA"} 1"#;
    assert!(figures.render().contains(timed), "{}", figures.render());
    world.finish().await;
}

#[tokio::test]
async fn a_payment_that_is_owed_does_not_hide_another_that_is_in_suspense() {
    // This test runs on one thread, so a local recorder sees all metrics.
    let recorder = PrometheusBuilder::new().build_recorder();
    let figures = recorder.handle();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let mut world = World::new().await;
    let player = world.player();
    world.give(&player, 1_000).await;
    // KES 120 came, and the same left after a withdrawal had been given back.
    world.suspend(&player).await;
    world.phone(json!({"b2c": "not_registered"})).await;
    let id = world.withdraw(&player, 120).await;
    world.until(&player, &id, PaymentStatus::Error).await;
    let secret = world.payout_secret(&id).await;
    let mut paid = World::payout_result(&id, 0, 120);
    paid["Result"]["ConversationID"] = world.payout_conversation().await.into();
    world.report("b2c", &secret, &paid).await;
    assert_eq!(world.house("SUSPENSE").await, 0);

    // The figures are read when the service starts.
    world.stop_wallet().await;
    world.start_wallet().await;
    eventually("KES 240 in all", || async {
        figures.render().contains("money_suspense_kes 240\n").then_some(())
    })
    .await;
    world.finish().await;
}
