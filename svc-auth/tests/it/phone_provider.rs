//! When the SMS provider refuses, fails or is not there.

use std::time::Duration;

use tonic::Code;

use crate::{
    harness::connect,
    world::{PHONE, World},
};

/// Codes counted against the cap.
async fn spent(world: &World) -> i64 {
    sqlx::query_scalar("SELECT coalesce(sum(sent), 0) FROM sms_spent")
        .fetch_one(&mut connect(&world.auth.database).await)
        .await
        .unwrap()
}

/// Codes that would still open something.
async fn live(world: &World) -> i64 {
    sqlx::query_scalar("SELECT count(*) FROM phone_challenge WHERE ended_at IS NULL")
        .fetch_one(&mut connect(&world.auth.database).await)
        .await
        .unwrap()
}

#[tokio::test]
async fn a_number_that_gets_no_messages_is_told_and_costs_nothing() {
    let world = World::new().await;
    for fate in ["invalid_number", "unsupported", "blacklisted", "no_route", "do_not_disturb"] {
        world.script(PHONE, fate).await;
        let fault = world.auth.start_phone(PHONE).await.unwrap_err();
        assert_eq!((fault.code, fault.reason.as_ref()), (Code::InvalidArgument, "SMS_REFUSED"));
        assert_eq!(fault.message, "We cannot send a code to that number.");
        assert_eq!((live(&world).await, spent(&world).await), (0, 0), "{fate}");
        // It counts for the phone, or somebody could have numbers asked for all day.
        let fault = world.auth.start_phone(PHONE).await.unwrap_err();
        assert_eq!(fault.reason, "RATE_LIMITED");
        world.auth.clock.advance(Duration::from_mins(1));
    }
}

#[tokio::test]
async fn what_is_the_providers_fault_costs_nobody_anything() {
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
async fn a_provider_out_of_reach_or_a_wrong_key_is_an_outage_and_no_code() {
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
async fn a_code_whose_sending_failed_halfway_is_good_if_it_arrives_and_is_not_sent_twice() {
    let world = World::new().await;
    world.trouble("sms", "http500").await;
    let sent = world.auth.start_phone(PHONE).await.unwrap();
    assert_eq!(world.texts(PHONE).await.len(), 1);
    world.auth.verify_phone(&sent.challenge_id, &world.code(PHONE).await).await.unwrap();
}

#[tokio::test]
async fn a_reply_that_is_lost_holds_nobody_up() {
    let world = World::with(&["--sms-timeout=3s"]).await;
    world.trouble("sms", "slow").await;
    // It would take a minute, and the call has 15 s.
    let sent = world.auth.start_phone(PHONE).await.unwrap();
    let code = testkit::eventually("the text", || async {
        (!world.texts(PHONE).await.is_empty()).then_some(())
    });
    code.await;
    world.auth.verify_phone(&sent.challenge_id, &world.code(PHONE).await).await.unwrap();
}

#[tokio::test]
async fn a_text_that_never_arrives_is_followed_by_one_that_does() {
    let world = World::new().await;
    world.script(PHONE, "lost").await;
    world.auth.start_phone(PHONE).await.unwrap();
    world.trouble("sms", "down").await;
    world.auth.clock.advance(Duration::from_mins(1));
    world.auth.start_phone(PHONE).await.unwrap();
    assert!(world.texts(PHONE).await.is_empty());
    world.script(PHONE, "delivered").await;
    world.auth.clock.advance(Duration::from_mins(1));
    let sent = world.auth.start_phone(PHONE).await.unwrap();
    world.auth.verify_phone(&sent.challenge_id, &world.code(PHONE).await).await.unwrap();
}
