//! What is bounded: how often a phone is rung in vain, how long messages are kept.

use std::time::Duration;

use proto::types::v1::PaymentStatus;
use serde_json::json;
use svc_wallet::PatienceArgs;
use testkit::eventually;
use tonic::{Code, Status};

use crate::world::{Player, World};

async fn ask(world: &World, player: &Player, name: &str) -> Result<String, Status> {
    let ask = world.ask(100, name).await;
    Ok(world.send(player, ask).await?.payment_id)
}

/// Rings the phone, whose owner ends it.
async fn ring(world: &World, player: &Player, name: &str, end: PaymentStatus) {
    let id = ask(world, player, name).await.unwrap();
    world.until(player, &id, end).await;
}

fn assert_rests(refused: Result<String, Status>, rest: Duration) {
    let fault = mesh::Fault::from_status(&refused.unwrap_err());
    assert_eq!((fault.code, &*fault.reason), (Code::ResourceExhausted, "PHONE_RATE_LIMITED"));
    assert_eq!(fault.retry_after, Some(rest));
}

#[tokio::test]
async fn a_phone_that_is_rung_in_vain_is_left_in_peace_whoever_asks() {
    let world = World::with(PatienceArgs { prompts_an_hour: 3, prompts_a_day: 4 }).await;
    let (pest, other) = (world.player(), world.player());
    world.phone(json!({"stk": "approve"})).await;
    ring(&world, &pest, "paid", PaymentStatus::Completed).await;
    world.phone(json!({"stk": "cancel"})).await;
    for (player, name) in [(&pest, "first"), (&pest, "second"), (&other, "third")] {
        ring(&world, player, name, PaymentStatus::Error).await;
    }
    assert_rests(ask(&world, &pest, "fourth").await, Duration::from_hours(1));
    assert_rests(ask(&world, &world.player(), "fourth").await, Duration::from_hours(1));
    assert_eq!(world.prompts().await, 4, "the paid one and three in vain");
    // What was asked before the phone rested is answered as it was.
    assert!(ask(&world, &pest, "first").await.is_ok());

    world.wait(Duration::from_hours(1));
    ring(&world, &world.player(), "fourth", PaymentStatus::Error).await;
    assert_rests(ask(&world, &world.player(), "fifth").await, Duration::from_hours(23));
    world.finish().await;
}

#[tokio::test]
async fn two_who_ring_at_once_share_the_phones_patience() {
    let world = World::with(PatienceArgs { prompts_an_hour: 1, prompts_a_day: 10 }).await;
    world.phone(json!({"stk": "manual"})).await;
    let (one, two) = (world.player(), world.player());
    let (one, two) = tokio::join!(ask(&world, &one, "one"), ask(&world, &two, "two"));
    assert!(one.is_ok() != two.is_ok(), "{one:?} {two:?}");
    world.finish().await;
}

#[tokio::test]
async fn messages_are_forgotten_three_months_after_something_became_of_them() {
    let mut world = World::new().await;
    let player = world.player();
    world.give(&player, 100).await;
    world.until_quiet().await;
    world.stop_wallet().await;
    let held = "INSERT INTO callback_inbox
             (id, provider, content_hash, secret_hash, body, source_ip, received_at)
         SELECT gen_random_uuid(), provider, '\\x00', secret_hash, body, source_ip, received_at
         FROM callback_inbox";
    sqlx::query(held).execute(&world.pool).await.unwrap();

    world.wait(Duration::from_hours(24 * 90 + 1));
    world.start_wallet().await;
    eventually("only what nothing became of", || async {
        let kept: Vec<Option<String>> = sqlx::query_scalar("SELECT outcome FROM callback_inbox")
            .fetch_all(&world.pool)
            .await
            .unwrap();
        (kept == [None]).then_some(())
    })
    .await;
    world.finish().await;
}

#[tokio::test]
async fn nothing_empties_the_ledger() {
    let world = World::new().await;
    for statement in ["TRUNCATE posting", "TRUNCATE journal CASCADE"] {
        let refused = sqlx::query(statement).execute(&world.pool).await.unwrap_err();
        assert!(refused.to_string().contains("append-only"), "{refused}");
    }
    world.finish().await;
}
