//! Limits: unpaid prompts per phone, and how long rows are kept.

use std::time::Duration;

use proto::types::v1::PaymentStatus;
use serde_json::json;
use testkit::eventually;
use tonic::{Code, Status};

use crate::{
    boost::boost,
    world::{Player, World, reason},
};

async fn top_up(world: &World, player: &Player, name: &str) -> Result<String, Status> {
    let request = world.request(100, name).await;
    Ok(world.send(player, request).await?.payment_id)
}

/// Tops up, and waits until the payment has the status `end`.
async fn top_up_until(world: &World, player: &Player, name: &str, end: PaymentStatus) {
    let id = top_up(world, player, name).await.unwrap();
    world.until(player, &id, end).await;
}

fn assert_rate_limited(refused: Result<String, Status>, wait: Duration) {
    let fault = mesh::Fault::from_status(&refused.unwrap_err());
    assert_eq!((fault.code, &*fault.reason), (Code::ResourceExhausted, "PHONE_RATE_LIMITED"));
    assert_eq!(fault.retry_after, Some(wait));
}

#[tokio::test]
async fn limits_the_unpaid_prompts_of_a_phone_from_all_players_together() {
    let world = World::with_prompt_limit(3, 4).await;
    let (player, other) = (world.player(), world.player());
    world.phone(json!({"stk": "approve"})).await;
    top_up_until(&world, &player, "paid", PaymentStatus::Completed).await;
    world.phone(json!({"stk": "cancel"})).await;
    for (payer, name) in [(&player, "first"), (&player, "second"), (&other, "third")] {
        top_up_until(&world, payer, name, PaymentStatus::Error).await;
    }
    assert_rate_limited(top_up(&world, &player, "fourth").await, Duration::from_hours(1));
    assert_rate_limited(top_up(&world, &world.player(), "fourth").await, Duration::from_hours(1));
    assert_eq!(world.prompts().await, 4, "one paid and three unpaid");
    // A repeated request is no new prompt.
    assert!(top_up(&world, &player, "first").await.is_ok());

    world.wait(Duration::from_hours(1)).await;
    top_up_until(&world, &world.player(), "fourth", PaymentStatus::Error).await;
    assert_rate_limited(top_up(&world, &world.player(), "fifth").await, Duration::from_hours(23));
    world.finish().await;
}

#[tokio::test]
async fn two_concurrent_top_ups_cannot_both_pass_the_prompt_limit() {
    let world = World::with_prompt_limit(1, 10).await;
    world.phone(json!({"stk": "manual"})).await;
    let (one, two) = (world.player(), world.player());
    let (one, two) = tokio::join!(top_up(&world, &one, "one"), top_up(&world, &two, "two"));
    assert!(one.is_ok() != two.is_ok(), "{one:?} {two:?}");
    world.finish().await;
}

#[tokio::test]
async fn withdrawals_count_in_the_day_of_boosts_unless_they_fail() {
    let world = World::new().await;
    let (payer, friend) = (world.player(), world.player().id.to_string());
    world.award_two_million(&payer).await;
    for (shillings, key) in [(250_000, "one"), (240_000, "two")] {
        world.send(&payer, boost(&world, &friend, shillings, key).await).await.unwrap();
    }
    world.phone(json!({"b2c": "not_registered"})).await;
    let id = world.withdraw(&payer, 10_000).await;
    world.until(&payer, &id, PaymentStatus::Error).await;

    world.phone(json!({"b2c": "silent"})).await;
    world.withdraw(&payer, 10_000).await;
    let more = boost(&world, &friend, 1, "three").await;
    assert_eq!(reason(&world.send(&payer, more).await.unwrap_err()), "DAILY_LIMIT");
    world.finish().await;
}

#[tokio::test]
async fn callbacks_with_an_outcome_are_removed_after_90_days() {
    let mut world = World::new().await;
    let player = world.player();
    world.give(&player, 100).await;
    world.until_outbox_empty().await;
    world.stop_wallet().await;
    let without_outcome = "INSERT INTO callback_inbox
             (id, provider, content_hash, secret_hash, body, source_ip, received_at)
         SELECT gen_random_uuid(), provider, '\\x00', secret_hash, body, source_ip, received_at
         FROM callback_inbox";
    sqlx::query(without_outcome).execute(&world.pool).await.unwrap();

    world.wait(Duration::from_hours(24 * 90 + 1)).await;
    world.start_wallet().await;
    eventually("only the callback without an outcome is left", || async {
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
async fn the_phone_leaves_a_decided_payment_after_eight_years() {
    let mut world = World::new().await;
    let player = world.player();
    world.give(&player, 100).await;
    world.until_outbox_empty().await;
    world.stop_wallet().await;
    // Operators need the phone of a payment that they have not decided.
    let undecided = "WITH undecided AS (
             INSERT INTO payment (id, kind, method, payer_id, beneficiary_id, amount_cents,
                 fee_cents, state, failure, request_digest, fingerprint, created_at, updated_at)
             SELECT gen_random_uuid(), kind, method, payer_id, beneficiary_id, amount_cents,
                 fee_cents, 'CONFLICTED', 'CONFLICTED', gen_random_uuid(), fingerprint,
                 created_at, updated_at
             FROM payment RETURNING id, created_at
         ), push AS (
             INSERT INTO stk_push (payment_id, msisdn, created_at)
             SELECT id, '254712345678', created_at FROM undecided
         ), payout AS (
             INSERT INTO b2c_payout (payment_id, msisdn, created_at, case_kind, case_since)
             SELECT id, '254712345678', created_at, 'UNKNOWN', created_at FROM undecided
         )
         INSERT INTO airtime_charge (payment_id, request_id, msisdn, consented_at,
             consent_version, consent_player, consent_request, consent_cents, created_at)
         SELECT id, id, '254712345678', created_at, '1', id, id, 100, created_at FROM undecided";
    sqlx::query(undecided).execute(&world.pool).await.unwrap();
    world.wait(Duration::from_hours(24 * 365 * 8 + 1)).await;

    for (decision, kept) in [
        ("SELECT", &["push", "payout", "charge"][..]),
        (
            "UPDATE payment SET state = 'EXPIRED', failure = 'EXPIRED' WHERE state = 'CONFLICTED'",
            &["payout", "charge"],
        ),
        ("UPDATE b2c_payout SET case_kind = NULL, case_since = NULL", &["charge"]),
        ("UPDATE airtime_charge SET result = 'Charged'", &[]),
    ] {
        sqlx::query(decision).execute(&world.pool).await.unwrap();
        // A replica sweeps when it starts.
        world.start_wallet().await;
        eventually(decision, || async {
            let phones: Vec<String> = sqlx::query_scalar(
                "SELECT 'push' FROM stk_push WHERE msisdn <> ''
                 UNION ALL SELECT 'payout' FROM b2c_payout WHERE msisdn <> ''
                 UNION ALL SELECT 'charge' FROM airtime_charge WHERE msisdn <> ''",
            )
            .fetch_all(&world.pool)
            .await
            .unwrap();
            (phones == kept).then_some(())
        })
        .await;
        world.stop_wallet().await;
    }
    world.start_wallet().await;
    world.finish().await;
}

#[tokio::test]
async fn the_ledger_cannot_be_truncated() {
    let world = World::new().await;
    for statement in ["TRUNCATE posting", "TRUNCATE journal CASCADE"] {
        let refused = sqlx::query(statement).execute(&world.pool).await.unwrap_err();
        assert!(refused.to_string().contains("append-only"), "{refused}");
    }
    world.finish().await;
}

#[tokio::test]
async fn every_table_says_how_long_its_rows_stay() {
    let world = World::new().await;
    assert_eq!(world.database.tables_without_retention().await, Vec::<String>::new());
    world.finish().await;
}
