//! Limits on codes: of one phone, and of all phones.

use std::time::Duration;

use mesh::Fault;
use tokio::task::JoinSet;
use tonic::Code;

use crate::{
    harness::{Service, connect},
    world::{PHONE, World},
};

/// The wait of a refused request.
fn wait(outcome: Result<impl std::fmt::Debug, Fault>) -> Duration {
    let fault = outcome.unwrap_err();
    assert_eq!((fault.code, fault.reason.as_ref()), (Code::ResourceExhausted, "RATE_LIMITED"));
    fault.retry_after.unwrap()
}

fn assert_paused(outcome: Result<impl std::fmt::Debug, Fault>) {
    let fault = outcome.unwrap_err();
    assert_eq!((fault.code, fault.reason.as_ref()), (Code::Unavailable, "SMS_PAUSED"));
}

#[tokio::test]
async fn a_phone_is_sent_one_code_a_minute_five_an_hour_and_ten_a_day() {
    let world = World::new().await;
    let auth = &world.auth;
    auth.start_phone(PHONE).await.unwrap();
    auth.clock.advance(Duration::from_secs(20));
    assert_eq!(wait(auth.start_phone("+254712345678").await), Duration::from_secs(40));
    auth.clock.advance(Duration::from_secs(40));

    for _ in 1..5 {
        auth.start_phone(PHONE).await.unwrap();
        auth.clock.advance(Duration::from_mins(1));
    }
    assert_eq!(wait(auth.start_phone(PHONE).await), Duration::from_mins(55));
    auth.clock.advance(Duration::from_mins(55));
    for _ in 0..5 {
        let sent = auth.start_phone(PHONE).await.unwrap();
        let resend = sent.resend_at.unwrap().seconds - auth.clock.now().unix_timestamp();
        auth.clock.advance(Duration::from_secs(u64::try_from(resend).unwrap()));
    }
    // The tenth reply has the time of the eleventh code: when the first code is a day old.
    auth.start_phone(PHONE).await.unwrap();
    assert_eq!(world.texts(PHONE).await.len(), 11);
}

#[tokio::test]
async fn each_phone_has_its_own_limit() {
    let world = World::new().await;
    world.auth.start_phone(PHONE).await.unwrap();
    world.auth.start_phone("0722345678").await.unwrap();
}

#[tokio::test]
async fn one_of_many_concurrent_requests_sends_a_code() {
    let world = World::new().await;
    let mut requests = JoinSet::new();
    for _ in 0..8 {
        let (mut client, captcha) = (world.auth.auth.clone(), world.auth.captcha().await);
        let request = proto::auth::v1::StartPhoneSignInRequest {
            phone: PHONE.to_owned(),
            captcha,
            ..Default::default()
        };
        requests.spawn(async move { client.start_phone_sign_in(request).await.is_ok() });
    }
    let sent = requests.join_all().await.into_iter().filter(|sent| *sent).count();
    assert_eq!((sent, world.texts(PHONE).await.len()), (1, 1));
}

#[tokio::test]
async fn limits_and_guesses_survive_a_restart() {
    let world = World::new().await;
    let sent = world.auth.start_phone(PHONE).await.unwrap();
    let code = world.code(PHONE).await;
    let wrong = if code == "123456" { "123457" } else { "123456" };
    for _ in 0..4 {
        world.auth.verify_phone(&sent.challenge_id, wrong).await.unwrap_err();
    }
    let again = world.another(&[]).await;
    assert_eq!(wait(again.start_phone(PHONE).await), Duration::from_mins(1));
    let fault = again.verify_phone(&sent.challenge_id, wrong).await.unwrap_err();
    assert_eq!(fault.reason, "BAD_CODE");
    let fault = again.verify_phone(&sent.challenge_id, &code).await.unwrap_err();
    assert_eq!(fault.reason, "CODE_EXPIRED", "that was the sixth guess");
}

/// A new phone.
fn phone(n: u32) -> String {
    format!("07123{n:05}")
}

async fn start_many(auth: &Service, phones: std::ops::Range<u32>) {
    for n in phones {
        auth.start_phone(&phone(n)).await.unwrap();
    }
}

#[tokio::test]
async fn replicas_share_the_hourly_budget_of_strangers() {
    let world = World::with(&["--sms-per-hour=6", "--sms-per-day=16"]).await;
    start_many(&world.auth, 0..3).await;
    assert_paused(world.auth.start_phone(&phone(3)).await);
    assert_paused(world.another(&[]).await.start_phone(&phone(3)).await);
    assert!(world.texts(&phone(3)).await.is_empty());
    // The clock starts on the hour, so the next hour begins an hour later.
    world.auth.clock.advance(Duration::from_mins(59));
    assert_paused(world.auth.start_phone(&phone(3)).await);
    world.auth.clock.advance(Duration::from_mins(1));
    world.auth.start_phone(&phone(3)).await.unwrap();
}

#[tokio::test]
async fn half_of_the_daily_budget_is_for_phones_without_an_account() {
    let world = World::with(&["--sms-per-hour=8", "--sms-per-day=10"]).await;
    // The phone has an account from now on.
    let sent = world.auth.start_phone(PHONE).await.unwrap();
    let code = world.code(PHONE).await;
    world.auth.verify_phone(&sent.challenge_id, &code).await.unwrap();
    start_many(&world.auth, 0..3).await;
    world.auth.clock.advance(Duration::from_hours(5));
    start_many(&world.auth, 3..4).await;
    assert_paused(world.auth.start_phone(&phone(4)).await);
    world.auth.start_phone(PHONE).await.unwrap();
    world.auth.clock.advance(Duration::from_hours(18));
    assert_paused(world.auth.start_phone(&phone(4)).await);
    world.auth.clock.advance(Duration::from_hours(1));
    start_many(&world.auth, 4..8).await;
}

#[tokio::test]
async fn the_daily_budget_limits_all_codes() {
    let world = World::with(&["--sms-per-hour=2", "--sms-per-day=3"]).await;
    for hour in 0..4 {
        let sent = world.auth.start_phone(PHONE).await;
        if hour == 3 {
            assert_paused(sent);
        } else {
            let code = world.code(PHONE).await;
            world.auth.verify_phone(&sent.unwrap().challenge_id, &code).await.unwrap();
        }
        world.auth.clock.advance(Duration::from_hours(1));
    }
}

#[tokio::test]
async fn an_exhausted_budget_does_not_count_for_the_phone() {
    let world = World::with(&["--sms-per-hour=1", "--sms-per-day=9"]).await;
    world.auth.start_phone(&phone(0)).await.unwrap();
    for _ in 0..6 {
        assert_paused(world.auth.start_phone(PHONE).await);
    }
    world.auth.clock.advance(Duration::from_hours(1));
    world.auth.start_phone(PHONE).await.unwrap();
    let mut conn = connect(&world.auth.database).await;
    let spent: Vec<i32> = sqlx::query_scalar("SELECT sent FROM sms_spent ORDER BY hour")
        .fetch_all(&mut conn)
        .await
        .unwrap();
    assert_eq!(spent, [1, 1]);
}
