//! Traces: from the call to the ledger row.

use mesh::{call::Call, telemetry};
use proto::types::v1::PaymentStatus;
use serde_json::json;
use testkit::{eventually, spans};
use tracing::Instrument;

use crate::world::World;

#[tokio::test]
async fn one_trace_leads_from_the_call_to_the_ledger_row() {
    let spans = spans();
    let world = World::new().await;
    let player = world.player();
    world.phone(json!({"stk": "approve"})).await;
    let root = tracing::info_span!("root");
    let trace_id = root.in_scope(telemetry::trace_id).expect("a trace");
    let id = Call::new(std::time::Duration::from_secs(15), None)
        .run(world.top_up(&player, 100).instrument(root))
        .await;
    world.until(&player, &id, PaymentStatus::Completed).await;
    world.until_outbox_empty().await;

    let top_up = "playon.wallet.v1.WalletService/TopUp";
    eventually("the spans of the top-up have ended", || async {
        (!spans.ancestry(&trace_id, "db.journal.post").is_empty()).then_some(())
    })
    .await;
    assert_eq!(
        spans.ancestry(&trace_id, "db.payment.insert"),
        ["db.payment.insert", "wallet.top_up", top_up, top_up, "root"]
    );
    assert_eq!(
        spans.ancestry(&trace_id, "daraja.stk_push"),
        [
            "daraja.stk_push",
            "wallet.push",
            "outbox.deliver",
            "wallet.top_up",
            top_up,
            top_up,
            "root"
        ]
    );
    assert_eq!(
        spans.ancestry(&trace_id, "db.journal.post"),
        [
            "db.journal.post",
            "wallet.settle",
            "wallet.settle_callback",
            "wallet.top_up",
            top_up,
            top_up,
            "root"
        ]
    );
    // The callback has a trace of its own, which wallet.settle_callback links to.
    let settled = spans.of_trace(&trace_id);
    let settled = settled.iter().find(|span| span.name == "wallet.settle_callback").unwrap();
    let cause = settled.links.iter().next().expect("a link to the callback");
    let callback = cause.span_context.trace_id().to_string();
    assert_ne!(callback, trace_id);
    eventually("the callback's spans have ended", || async {
        (!spans.ancestry(&callback, "db.callback.insert").is_empty()).then_some(())
    })
    .await;
    assert_eq!(
        spans.ancestry(&callback, "db.callback.insert")[..2],
        ["db.callback.insert", "wallet.store_callback"]
    );
    world.finish().await;
}

#[tokio::test]
async fn a_call_that_a_busy_provider_fails_is_a_failed_span() {
    let spans = spans();
    let world = World::new().await;
    let player = world.player();
    world.fault(json!({"provider": "daraja", "kind": "spike", "call": "stkpush"})).await;
    let root = tracing::info_span!("root");
    let trace_id = root.in_scope(telemetry::trace_id).expect("a trace");
    let id = Call::new(std::time::Duration::from_secs(15), None)
        .run(world.top_up(&player, 100).instrument(root))
        .await;
    world.until(&player, &id, PaymentStatus::Error).await;
    let push = eventually("the span of the push has ended", || async {
        spans.of_trace(&trace_id).into_iter().find(|span| span.name == "daraja.stk_push")
    })
    .await;
    assert_eq!(format!("{:?}", push.status), r#"Error { description: "failed" }"#);
    world.finish().await;
}
