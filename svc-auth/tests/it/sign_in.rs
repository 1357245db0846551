//! Signing in by email and password.

use std::time::Duration;

use proto::auth::v1::SignInRequest;
use sqlx::Connection as _;
use tokio::task::JoinSet;
use tonic::Code;

use crate::harness::{PASSWORD, Service, connect, until_a_lock_is_awaited};

#[tokio::test]
async fn each_sign_in_opens_its_own_session() {
    let auth = Service::start().await;
    let first = auth.player("wanjiru").await;
    let second = auth.sign_in("Wanjiru@example.com", PASSWORD).await.unwrap();
    assert_eq!(second.uid, first.uid);
    assert!(!second.is_new_user);
    assert_ne!(second.refresh_token, first.refresh_token);
    assert!(auth.profile(&second.access_token).await.is_ok());
}

#[tokio::test]
async fn an_unknown_email_and_a_wrong_password_get_the_same_reply() {
    let auth = Service::start().await;
    auth.player("wanjiru").await;
    let known = auth.sign_in("wanjiru@example.com", "not-this-one").await.unwrap_err();
    let unknown = auth.sign_in("unknown@example.com", "not-this-one").await.unwrap_err();
    assert_eq!(known, unknown);
    assert_eq!((known.code, known.reason.as_ref()), (Code::Unauthenticated, "BAD_CREDENTIALS"));
    assert_eq!(known.message, "Wrong email or password.");
}

#[tokio::test]
async fn after_ten_failures_a_known_and_an_unknown_account_have_to_wait() {
    let auth = Service::start().await;
    auth.player("wanjiru").await;
    for email in ["wanjiru@example.com", "unknown@example.com"] {
        for failure in 0..10 {
            let fault = auth.sign_in(email, "not-this-one").await.unwrap_err();
            assert_eq!(fault.reason, "BAD_CREDENTIALS", "failure {failure} of {email}");
            auth.clock.advance(Duration::from_secs(1));
        }
        let fault = auth.sign_in(email, PASSWORD).await.unwrap_err();
        assert_eq!((fault.code, fault.reason.as_ref()), (Code::ResourceExhausted, "RATE_LIMITED"));
        // The first failure was ten seconds ago and counts for 15 minutes.
        assert_eq!(fault.retry_after, Some(Duration::from_secs(15 * 60 - 10)));
    }
}

#[tokio::test]
async fn a_rate_limited_account_is_unlocked_after_the_retry_delay() {
    let auth = Service::start().await;
    auth.player("wanjiru").await;
    for _ in 0..10 {
        auth.sign_in("wanjiru@example.com", "not-this-one").await.unwrap_err();
    }
    let closed = auth.sign_in("wanjiru@example.com", PASSWORD).await.unwrap_err();
    auth.clock.advance(closed.retry_after.unwrap());
    auth.sign_in("wanjiru@example.com", PASSWORD).await.unwrap();
}

#[tokio::test]
async fn failures_survive_a_restart() {
    let first = Service::start().await;
    for _ in 0..10 {
        first.sign_in("wanjiru@example.com", "not-this-one").await.unwrap_err();
    }
    let again = Service::start_on(first.database.clone(), &[], testkit::base("svc-auth")).await;
    let fault = again.sign_in("wanjiru@example.com", "not-this-one").await.unwrap_err();
    assert_eq!(fault.reason, "RATE_LIMITED");
}

#[tokio::test]
async fn concurrent_failures_are_all_counted() {
    // All of them wait for the account's row, and none for a connection, which times out sooner.
    let room = ["--db-connections=30"];
    let base = testkit::base("svc-auth");
    let auth = Service::start_on(testkit::database("svc-auth").await, &room, base).await;
    auth.player("wanjiru").await;
    let codes = guesses_at_once(&auth, 25).await;
    let tried = codes.iter().filter(|code| **code == Code::Unauthenticated).count();
    assert_eq!(tried, 10, "{codes:?}");
}

/// Sends wrong passwords; returns the REASON of each refusal.
async fn guesses_at_once(auth: &Service, count: usize) -> Vec<Code> {
    let mut guesses = JoinSet::new();
    for _ in 0..count {
        let mut client = auth.auth.clone();
        guesses.spawn(async move {
            let request = SignInRequest {
                email: "wanjiru@example.com".to_owned(),
                password: "not-this-one".to_owned(),
                ..Default::default()
            };
            client.sign_in(request).await.unwrap_err().code()
        });
    }
    guesses.join_all().await
}

#[tokio::test]
async fn overload_does_not_count_as_a_failed_sign_in() {
    let one = ["--hash-concurrency=1", "--hashes-waiting=0"];
    let base = testkit::base("svc-auth");
    let auth = Service::start_on(testkit::database("svc-auth").await, &one, base).await;
    auth.player("wanjiru").await;
    let guess = || auth.sign_in("wanjiru@example.com", "not-this-one");
    guess().await.unwrap_err();
    // The first request has the only hash permit, and keeps it while it waits for the
    // account's row.
    let mut conn = connect(&auth.database).await;
    let mut counting = conn.begin().await.unwrap();
    sqlx::query("SELECT FROM sign_in_rate_limit FOR UPDATE").execute(&mut *counting).await.unwrap();
    let meanwhile = async {
        until_a_lock_is_awaited(&auth.database).await;
        assert_eq!(guesses_at_once(&auth, 20).await, [Code::Unavailable; 20]);
        counting.rollback().await.unwrap();
    };
    let (tried, ()) = tokio::join!(guess(), meanwhile);
    assert_eq!(tried.unwrap_err().code, Code::Unauthenticated);
    auth.sign_in("wanjiru@example.com", PASSWORD).await.unwrap();
}

#[tokio::test]
async fn the_right_password_clears_the_failures() {
    let auth = Service::start().await;
    auth.player("wanjiru").await;
    for _ in 0..9 {
        auth.sign_in("wanjiru@example.com", "not-this-one").await.unwrap_err();
    }
    auth.sign_in("wanjiru@example.com", PASSWORD).await.unwrap();
    let fault = auth.sign_in("wanjiru@example.com", "not-this-one").await.unwrap_err();
    assert_eq!(fault.reason, "BAD_CREDENTIALS");
}

#[tokio::test]
async fn invalid_forms_have_the_specifications_texts() {
    let auth = Service::start().await;
    for (email, password, field, text) in [
        ("", PASSWORD, "email", "Please enter your email"),
        ("wanjiru", PASSWORD, "email", "Invalid email address"),
        ("wanjiru@example.com", "", "password", "Please enter your password"),
    ] {
        let fault = auth.sign_in(email, password).await.unwrap_err();
        assert_eq!(fault.wrong_fields(), [(field, text)]);
    }
}
