//! Retries of requests that succeeded and whose reply was lost.

use std::time::Duration;

use mesh::Fault;
use proto::auth::v1::Session;
use serde_json::json;

use crate::{
    harness::{PASSWORD, Service, connect},
    social::{Google, Social},
    world::{CHANGED, PHONE, World},
};

const NEW: &str = "habari-gani";

fn reason(outcome: Result<impl std::fmt::Debug, Fault>) -> String {
    outcome.unwrap_err().reason.into_owned()
}

fn assert_same(again: &Session, first: &Session) {
    assert_eq!(again.refresh_token, first.refresh_token);
    assert_eq!((&again.uid, again.is_new_user), (&first.uid, first.is_new_user));
}

async fn sessions(auth: &Service) -> i64 {
    sqlx::query_scalar("SELECT count(*) FROM session")
        .fetch_one(&mut connect(&auth.database).await)
        .await
        .unwrap()
}

#[tokio::test]
async fn a_retried_sign_up_gets_the_same_session_for_30_seconds() {
    let auth = Service::start().await;
    let captcha = auth.captcha().await;
    let sign_up = |email, password| auth.sign_up_with(email, password, captcha.clone());
    let first = sign_up("wanjiru@example.com", PASSWORD).await.unwrap();
    auth.clock.advance(Duration::from_secs(29));
    let again = sign_up("wanjiru@example.com", PASSWORD).await.unwrap();
    assert_same(&again, &first);
    assert!(again.is_new_user);
    assert_eq!(sessions(&auth).await, 1);
    assert_eq!(reason(sign_up("wanjiru@example.com", "another-one").await), "CAPTCHA_EXPIRED");
    assert_eq!(reason(sign_up("kamau@example.com", PASSWORD).await), "CAPTCHA_EXPIRED");
    auth.clock.advance(Duration::from_secs(1));
    assert_eq!(reason(sign_up("wanjiru@example.com", PASSWORD).await), "CAPTCHA_EXPIRED");
    assert!(auth.profile(&again.access_token).await.is_ok());
    auth.refresh(&first.refresh_token).await.unwrap();
}

/// Otherwise a spent captcha would allow unlimited guesses at the password.
#[tokio::test]
async fn a_retried_sign_up_with_another_password_counts_as_a_failed_sign_in() {
    let auth = Service::start().await;
    let captcha = auth.captcha().await;
    let sign_up = |password| auth.sign_up_with("wanjiru@example.com", password, captcha.clone());
    sign_up(PASSWORD).await.unwrap();
    for _ in 0..10 {
        assert_eq!(reason(sign_up("another-one").await), "CAPTCHA_EXPIRED");
    }
    assert_eq!(reason(sign_up(PASSWORD).await), "RATE_LIMITED");
    assert_eq!(reason(auth.sign_in("wanjiru@example.com", PASSWORD).await), "RATE_LIMITED");
}

#[tokio::test]
async fn a_retried_code_gets_the_same_session_for_30_seconds() {
    let world = World::new().await;
    let sent = world.auth.start_phone(PHONE).await.unwrap();
    let code = world.code(PHONE).await;
    let verify = || world.auth.verify_phone(&sent.challenge_id, &code);
    let first = verify().await.unwrap();
    assert!(first.is_new_user);
    world.auth.clock.advance(Duration::from_secs(29));
    assert_same(&verify().await.unwrap(), &first);
    assert_eq!(sessions(&world.auth).await, 1);
    world.auth.clock.advance(Duration::from_secs(1));
    assert_eq!(reason(verify().await), "CODE_EXPIRED");
}

#[tokio::test]
async fn guesses_at_a_used_code_are_limited() {
    let world = World::new().await;
    let sent = world.auth.start_phone(PHONE).await.unwrap();
    let code = world.code(PHONE).await;
    let wrong = if code == "123456" { "123457" } else { "123456" };
    world.auth.verify_phone(&sent.challenge_id, &code).await.unwrap();
    for _ in 0..4 {
        let guess = world.auth.verify_phone(&sent.challenge_id, wrong).await;
        assert_eq!(reason(guess), "CODE_EXPIRED");
    }
    assert_eq!(reason(world.auth.verify_phone(&sent.challenge_id, &code).await), "CODE_EXPIRED");
}

#[tokio::test]
async fn a_retry_gets_no_session_that_was_used_or_ended() {
    let world = World::new().await;
    for (phone, signs_out) in [(PHONE, false), ("0722345678", true)] {
        let sent = world.auth.start_phone(phone).await.unwrap();
        let code = world.code(phone).await;
        let first = world.auth.verify_phone(&sent.challenge_id, &code).await.unwrap();
        if signs_out {
            world.auth.sign_out(&first.access_token, &first.refresh_token).await.unwrap();
        } else {
            world.auth.refresh(&first.refresh_token).await.unwrap();
        }
        let again = world.auth.verify_phone(&sent.challenge_id, &code).await;
        assert_eq!(reason(again), "CODE_EXPIRED");
    }
}

#[tokio::test]
async fn a_retried_exchange_gets_the_same_session_for_30_seconds() {
    let world = Social::new().await;
    world.account(Google, "mary@gmail.com", json!({})).await;
    for is_new in [true, false] {
        let back = world.come_back(Google, "mary@gmail.com").await;
        let code = world.finish(back).await.unwrap();
        let (a, b) = tokio::join!(world.exchange(&code), world.exchange(&code));
        let first = a.unwrap();
        assert_eq!(first.is_new_user, is_new);
        assert_same(&b.unwrap(), &first);
        assert_same(&world.exchange(&code).await.unwrap(), &first);
        world.auth.clock.advance(Duration::from_secs(30));
        assert_eq!(reason(world.exchange(&code).await), "OAUTH_EXPIRED");
        world.auth.clock.advance(Duration::from_secs(30));
    }
    assert_eq!(sessions(&world.auth).await, 2);
}

#[tokio::test]
async fn a_reset_can_be_retried_with_the_same_password() {
    let world = World::new().await;
    let (email, _) = world.player("wanjiru").await;
    let token = world.reset_link(&email).await;
    let confirm = |password| world.auth.confirm_reset(&token, password);
    let (a, b) = tokio::join!(confirm(NEW), confirm(NEW));
    a.and(b).unwrap();
    let session = world.auth.sign_in(&email, NEW).await.unwrap();
    world.auth.clock.advance(Duration::from_secs(299));
    confirm(NEW).await.unwrap();
    assert_eq!(reason(confirm("another-one").await), "RESET_EXPIRED");
    world.auth.refresh(&session.refresh_token).await.unwrap();
    world.settled().await;
    let notices = world.mailbox(&email).await.into_iter().filter(|mail| mail.subject == CHANGED);
    assert_eq!(notices.count(), 1);
    world.auth.clock.advance(Duration::from_secs(1));
    assert_eq!(reason(confirm(NEW).await), "RESET_EXPIRED");
}

#[tokio::test]
async fn retries_of_a_used_link_count_as_failed_sign_ins() {
    let world = World::new().await;
    let (email, _) = world.player("wanjiru").await;
    let token = world.reset_link(&email).await;
    world.auth.confirm_reset(&token, NEW).await.unwrap();
    world.auth.sign_in(&email, NEW).await.unwrap();
    for _ in 0..10 {
        assert_eq!(reason(world.auth.confirm_reset(&token, "a-guess").await), "RESET_EXPIRED");
    }
    assert_eq!(reason(world.auth.confirm_reset(&token, NEW).await), "RATE_LIMITED");
}

#[tokio::test]
async fn a_change_can_be_retried_by_its_own_session() {
    let world = World::new().await;
    let (email, session) = world.player("wanjiru").await;
    let change = |by: &str, new| {
        let (by, auth, email) = (by.to_owned(), &world.auth, &email);
        async move { auth.change_password(&by, email, PASSWORD, new).await }
    };
    let bearer = &session.access_token;
    let (a, b) = tokio::join!(change(bearer, NEW), change(bearer, NEW));
    a.and(b).unwrap();
    world.auth.clock.advance(Duration::from_secs(299));
    change(bearer, NEW).await.unwrap();
    assert_eq!(reason(change(bearer, "another-one").await), "REAUTH_FAILED");
    let other = world.auth.sign_in(&email, NEW).await.unwrap();
    assert_eq!(reason(change(&other.access_token, NEW).await), "REAUTH_FAILED");
    world.settled().await;
    let notices = world.mailbox(&email).await.into_iter().filter(|mail| mail.subject == CHANGED);
    assert_eq!(notices.count(), 1);
    world.auth.clock.advance(Duration::from_secs(1));
    assert_eq!(reason(change(bearer, NEW).await), "REAUTH_FAILED");
    world.auth.sign_in(&email, NEW).await.unwrap();
}
