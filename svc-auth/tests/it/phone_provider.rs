//! Refusals, failures and outages of the SMS provider.

use std::time::Duration;

use tonic::Code;

use crate::{
    harness::connect,
    world::{PHONE, World},
};

/// Codes counted in the budget.
async fn spent(world: &World) -> i64 {
    sqlx::query_scalar("SELECT coalesce(sum(sent), 0) FROM sms_spent")
        .fetch_one(&mut connect(&world.auth.database).await)
        .await
        .unwrap()
}

/// Codes that are still valid.
async fn live(world: &World) -> i64 {
    sqlx::query_scalar("SELECT count(*) FROM phone_challenge WHERE ended_at IS NULL")
        .fetch_one(&mut connect(&world.auth.database).await)
        .await
        .unwrap()
}

#[tokio::test]
async fn an_undeliverable_number_is_refused_and_costs_no_budget() {
    let world = World::new().await;
    for fate in ["invalid_number", "unsupported", "blacklisted", "no_route", "do_not_disturb"] {
        world.script(PHONE, fate).await;
        let fault = world.auth.start_phone(PHONE).await.unwrap_err();
        assert_eq!((fault.code, fault.reason.as_ref()), (Code::InvalidArgument, "SMS_REFUSED"));
        assert_eq!(fault.message, "We cannot send a code to that number. Please use another one.");
        assert_eq!((live(&world).await, spent(&world).await), (0, 0), "{fate}");
        // The code counts for the phone, so that a number cannot be requested without limit.
        let fault = world.auth.start_phone(PHONE).await.unwrap_err();
        assert_eq!(fault.reason, "RATE_LIMITED");
        world.auth.clock.advance(Duration::from_mins(1));
    }
}

#[tokio::test]
async fn a_providers_refusal_is_uncounted() {
    let world = World::new().await;
    for fate in [
        "risk_hold",
        "invalid_sender",
        "no_balance",
        "failed",
        "gateway_error",
        "rejected",
        "empty",
    ] {
        world.script(PHONE, fate).await;
        let fault = world.auth.start_phone(PHONE).await.unwrap_err();
        assert_eq!((fault.code, fault.reason.as_ref()), (Code::Unavailable, "UNAVAILABLE"));
        assert_eq!((live(&world).await, spent(&world).await), (0, 0), "{fate}");
    }
    world.script(PHONE, "queued").await;
    let sent = world.auth.start_phone(PHONE).await.unwrap();
    world.auth.verify_phone(&sent.challenge_id, &world.code(PHONE).await).await.unwrap();
}

#[tokio::test]
async fn an_unreachable_provider_or_a_wrong_key_is_unavailable_and_sends_no_code() {
    let world = World::new().await;
    for changed in ["--sms-base-url=http://127.0.0.1:9", "--sms-api-key=wrong"] {
        let auth = world.another(&[changed]).await;
        for _ in 0..2 {
            let fault = auth.start_phone(PHONE).await.unwrap_err();
            assert_eq!((fault.code, fault.reason.as_ref()), (Code::Unavailable, "UNAVAILABLE"));
        }
        assert_eq!((live(&world).await, spent(&world).await), (0, 0), "{changed}");
    }
    world.auth.start_phone(PHONE).await.unwrap();
}

#[tokio::test]
async fn a_code_with_an_unknown_outcome_stays_valid_and_is_not_sent_again() {
    let world = World::new().await;
    world.fail_next("sms", "http500").await;
    let sent = world.auth.start_phone(PHONE).await.unwrap();
    assert_eq!(world.texts(PHONE).await.len(), 1);
    world.auth.verify_phone(&sent.challenge_id, &world.code(PHONE).await).await.unwrap();
}

#[tokio::test]
async fn a_lost_reply_of_the_provider_succeeds() {
    let world = World::with(&["--sms-timeout=3s"]).await;
    world.fail_next("sms", "slow").await;
    // The reply would take a minute, and the call's deadline is 15 s.
    let sent = world.auth.start_phone(PHONE).await.unwrap();
    let code = testkit::eventually("the text", || async {
        (!world.texts(PHONE).await.is_empty()).then_some(())
    });
    code.await;
    world.auth.verify_phone(&sent.challenge_id, &world.code(PHONE).await).await.unwrap();
}

#[tokio::test]
async fn a_lost_text_can_be_followed_by_another() {
    let world = World::new().await;
    world.script(PHONE, "lost").await;
    world.auth.start_phone(PHONE).await.unwrap();
    world.fail_next("sms", "down").await;
    world.auth.clock.advance(Duration::from_mins(1));
    world.auth.start_phone(PHONE).await.unwrap();
    assert!(world.texts(PHONE).await.is_empty());
    world.script(PHONE, "delivered").await;
    world.auth.clock.advance(Duration::from_mins(1));
    let sent = world.auth.start_phone(PHONE).await.unwrap();
    world.auth.verify_phone(&sent.challenge_id, &world.code(PHONE).await).await.unwrap();
}
