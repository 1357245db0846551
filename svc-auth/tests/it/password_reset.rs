//! Password resets.

use std::time::Duration;

use mesh::Fault;
use time::OffsetDateTime;
use tonic::Code;

use crate::{
    harness::{PASSWORD, connect},
    world::{CHANGED, PHONE, RESET, World},
};

const NEW: &str = "habari-gani";

fn assert_over(outcome: Result<impl std::fmt::Debug, Fault>) {
    let fault = outcome.unwrap_err();
    assert_eq!((fault.code, fault.reason.as_ref()), (Code::FailedPrecondition, "RESET_EXPIRED"));
}

#[tokio::test]
async fn a_link_sets_a_password_verifies_the_address_and_ends_all_sessions() {
    let world = World::new().await;
    let (email, session) = world.player("wanjiru").await;
    let token = world.reset_link(&email).await;
    world.auth.confirm_reset(&token, NEW).await.unwrap();

    let fault = world.auth.refresh(&session.refresh_token).await.unwrap_err();
    assert_eq!(fault.reason, "SESSION_REVOKED");
    assert_eq!(world.auth.sign_in(&email, PASSWORD).await.unwrap_err().reason, "BAD_CREDENTIALS");
    let again = world.auth.sign_in(&email, NEW).await.unwrap();
    assert_eq!(again.uid, session.uid);
    let mut conn = connect(&world.auth.database).await;
    let (verified, because): (Option<OffsetDateTime>, Option<String>) = sqlx::query_as(
        "SELECT verified_at, (SELECT ended_because FROM session WHERE ended_at IS NOT NULL)
         FROM email_identity",
    )
    .fetch_one(&mut conn)
    .await
    .unwrap();
    assert_eq!(verified, Some(world.auth.clock.now()));
    assert_eq!(because.as_deref(), Some("PASSWORD_RESET"));
    let notice = world.mail(&email, CHANGED).await;
    assert!(notice.text.contains("at 12:00 on 20/11/2026"), "{}", notice.text);
}

#[tokio::test]
async fn an_address_is_found_without_regard_to_case() {
    let world = World::new().await;
    let (email, _) = world.player("wanjiru").await;
    world.auth.request_reset(" Wanjiru@Example.COM ").await.unwrap();
    world.mail(&email, RESET).await;
}

#[tokio::test]
async fn the_access_tokens_of_ended_sessions_are_refused_within_a_second() {
    let world = World::new().await;
    let (email, session) = world.player("wanjiru").await;
    let token = world.reset_link(&email).await;
    world.auth.confirm_reset(&token, NEW).await.unwrap();
    testkit::eventually("the end of the access token", || async {
        world.auth.profile(&session.access_token).await.err()
    })
    .await;
}

#[tokio::test]
async fn a_link_is_accepted_once_by_concurrent_calls() {
    let world = World::new().await;
    let (email, _) = world.player("wanjiru").await;
    let token = world.reset_link(&email).await;
    let confirm = |password| world.auth.confirm_reset(&token, password);
    let (a, b, c) = tokio::join!(confirm("first-one"), confirm("second-one"), confirm("third-one"));
    assert_eq!([&a, &b, &c].iter().filter(|outcome| outcome.is_ok()).count(), 1);
    assert_over(confirm(NEW).await);
}

#[tokio::test]
async fn a_link_is_valid_for_30_minutes_from_the_request() {
    let world = World::new().await;
    let (email, _) = world.player("wanjiru").await;
    let token = world.reset_link(&email).await;
    world.auth.clock.advance(Duration::from_secs(30 * 60 - 1));
    let late = world.reset_link(&email).await;
    world.auth.clock.advance(Duration::from_secs(1));
    assert_over(world.auth.confirm_reset(&token, NEW).await);
    world.auth.confirm_reset(&late, NEW).await.unwrap();
}

#[tokio::test]
async fn a_used_link_voids_all_other_links_of_its_player_alone() {
    let world = World::new().await;
    let (wanjiru, _) = world.player("wanjiru").await;
    let (kamau, _) = world.player("kamau").await;
    let (first, second) = (world.reset_link(&wanjiru).await, world.reset_link(&wanjiru).await);
    let kamaus = world.reset_link(&kamau).await;
    assert_ne!(first, second);
    world.auth.confirm_reset(&second, NEW).await.unwrap();
    assert_over(world.auth.confirm_reset(&first, "third-one").await);
    assert!(world.auth.sign_in(&kamau, PASSWORD).await.is_ok(), "a link opens its own account");
    world.auth.confirm_reset(&kamaus, NEW).await.unwrap();
    world.auth.sign_in(&kamau, NEW).await.unwrap();
}

#[tokio::test]
async fn two_concurrent_links_do_not_deadlock() {
    let world = World::new().await;
    let (email, _) = world.player("wanjiru").await;
    let (first, second) = (world.reset_link(&email).await, world.reset_link(&email).await);
    let (a, b) = tokio::join!(
        world.auth.confirm_reset(&first, "first-one"),
        world.auth.confirm_reset(&second, "second-one"),
    );
    let (won, lost) = if a.is_ok() { ("first-one", b) } else { ("second-one", a) };
    assert_over(lost);
    world.auth.sign_in(&email, won).await.unwrap();
}

#[tokio::test]
async fn other_tokens_are_refused() {
    let world = World::new().await;
    let (email, _) = world.player("wanjiru").await;
    let welcome = world.mailbox(&email).await.remove(0);
    let confirmation = welcome.token("https://playon.example/confirm-email?token=");
    for token in ["", "x", &"A".repeat(43), "' OR 1=1 --", &confirmation] {
        assert_over(world.auth.confirm_reset(token, NEW).await);
    }
    world.auth.sign_in(&email, PASSWORD).await.unwrap();
}

#[tokio::test]
async fn a_weak_password_does_not_use_the_link() {
    let world = World::new().await;
    let (email, _) = world.player("wanjiru").await;
    let token = world.reset_link(&email).await;
    let fault = world.auth.confirm_reset(&token, "12345").await.unwrap_err();
    assert_eq!(fault.reason, "WEAK_PASSWORD");
    assert_eq!(fault.message, "Password should be at least 6 characters.");
    for guessable in ["password", "Wanjiru1"] {
        let fault = world.auth.confirm_reset(&token, guessable).await.unwrap_err();
        assert_eq!(fault.reason, "GUESSABLE_PASSWORD");
    }
    let fault = world.auth.confirm_reset(&token, &"x".repeat(129)).await.unwrap_err();
    assert_eq!(fault.fields[0].name, "new_password");
    world.auth.confirm_reset(&token, NEW).await.unwrap();
}

#[tokio::test]
async fn a_reset_unlocks_an_account_after_too_many_failures() {
    let world = World::new().await;
    let (email, _) = world.player("wanjiru").await;
    for _ in 0..10 {
        world.auth.sign_in(&email, "not-this-one").await.unwrap_err();
    }
    assert_eq!(world.auth.sign_in(&email, PASSWORD).await.unwrap_err().reason, "RATE_LIMITED");
    let token = world.reset_link(&email).await;
    world.auth.confirm_reset(&token, NEW).await.unwrap();
    world.auth.sign_in(&email, NEW).await.unwrap();
}

#[tokio::test]
async fn an_address_is_sent_three_reset_mails_an_hour() {
    let world = World::new().await;
    let (email, _) = world.player("wanjiru").await;
    let (other, _) = world.player("kamau").await;
    for _ in 0..6 {
        world.auth.request_reset(&email).await.unwrap();
    }
    world.settled().await;
    assert_eq!(resets(&world, &email).await, 3);
    world.auth.request_reset(&other).await.unwrap();
    world.settled().await;
    assert_eq!(resets(&world, &other).await, 1, "each address has its own limit");
    world.auth.clock.advance(Duration::from_hours(1));
    world.auth.request_reset(&email).await.unwrap();
    world.settled().await;
    assert_eq!(resets(&world, &email).await, 4);
}

#[tokio::test]
async fn an_address_without_an_account_is_sent_no_mail() {
    let world = World::new().await;
    world.auth.request_reset("unknown@example.com").await.unwrap();
    // A player by phone has an account without an address.
    let sent = world.auth.start_phone(PHONE).await.unwrap();
    world.auth.verify_phone(&sent.challenge_id, &world.code(PHONE).await).await.unwrap();
    world.settled().await;
    assert!(world.mailbox("unknown@example.com").await.is_empty());
}

#[tokio::test]
async fn an_invalid_email_is_refused_with_the_specifications_text() {
    let world = World::new().await;
    for (email, text) in [
        ("", "Please enter your email"),
        ("wanjiru", "Invalid email address"),
        ("wanjiru@example.com\r\nBcc: all@example.com", "Invalid email address"),
    ] {
        let fault = world.auth.request_reset(email).await.unwrap_err();
        assert_eq!(fault.wrong_fields(), [("email", text)]);
    }
    world.settled().await;
    assert!(world.mailbox("all@example.com").await.is_empty());
}

#[tokio::test]
async fn tokens_of_links_are_not_stored() {
    let world = World::new().await;
    let (email, _) = world.player("wanjiru").await;
    let token = world.reset_link(&email).await;
    let mut conn = connect(&world.auth.database).await;
    let rows: Vec<String> = sqlx::query_scalar(
        "SELECT to_jsonb(l)::text FROM email_link l UNION ALL SELECT to_jsonb(o)::text FROM outbox o",
    )
    .fetch_all(&mut conn)
    .await
    .unwrap();
    assert!(rows.len() >= 2, "a confirmation and a reset");
    let bytes = base64::Engine::decode(&base64::engine::general_purpose::URL_SAFE_NO_PAD, &token);
    let hex = bytes.unwrap().iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"));
    assert!(rows.iter().all(|row| !row.contains(&token) && !row.contains(&hex)), "{rows:?}");
}

async fn resets(world: &World, email: &str) -> usize {
    world.mailbox(email).await.iter().filter(|mail| mail.subject == RESET).count()
}
