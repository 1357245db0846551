//! Refresh tokens: rotation, lost replies, reuse, sign-out.

use std::time::Duration;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use mesh::Fault;
use sqlx::Connection as _;
use tonic::Code;

use crate::harness::{PASSWORD, Service, connect, days, until_a_lock_is_awaited};

fn assert_revoked<T: std::fmt::Debug>(outcome: Result<T, Fault>) {
    let fault = outcome.unwrap_err();
    assert_eq!((fault.code, fault.reason.as_ref()), (Code::Unauthenticated, "SESSION_REVOKED"));
}

#[tokio::test]
async fn each_token_is_exchanged_for_its_successor() {
    let auth = Service::start().await;
    let first = auth.player("wanjiru").await;
    auth.clock.advance(Duration::from_mins(15));
    let second = auth.refresh(&first.refresh_token).await.unwrap();
    assert_eq!(second.uid, first.uid);
    assert_ne!(second.refresh_token, first.refresh_token);
    assert!(auth.profile(&first.access_token).await.is_err(), "that one is 15 minutes old");
    assert!(auth.profile(&second.access_token).await.is_ok());
    let third = auth.refresh(&second.refresh_token).await.unwrap();
    assert_ne!(third.refresh_token, second.refresh_token);
}

#[tokio::test]
async fn a_used_token_returns_the_same_successor_for_30_seconds() {
    let auth = Service::start().await;
    let first = auth.player("wanjiru").await;
    let lost = auth.refresh(&first.refresh_token).await.unwrap();
    auth.clock.advance(Duration::from_secs(29));
    let again = auth.refresh(&first.refresh_token).await.unwrap();
    assert_eq!(again.refresh_token, lost.refresh_token);
    auth.refresh(&again.refresh_token).await.unwrap();
}

#[tokio::test]
async fn after_30_seconds_a_used_token_ends_the_family() {
    let auth = Service::start().await;
    let first = auth.player("wanjiru").await;
    let second = auth.refresh(&first.refresh_token).await.unwrap();
    auth.clock.advance(Duration::from_secs(30));
    assert_revoked(auth.refresh(&first.refresh_token).await);
    assert_revoked(auth.refresh(&second.refresh_token).await);
}

#[tokio::test]
async fn once_the_successor_was_used_the_predecessor_ends_the_family_at_once() {
    let auth = Service::start().await;
    let first = auth.player("wanjiru").await;
    let second = auth.refresh(&first.refresh_token).await.unwrap();
    let third = auth.refresh(&second.refresh_token).await.unwrap();
    assert_revoked(auth.refresh(&first.refresh_token).await);
    assert_revoked(auth.refresh(&third.refresh_token).await);
}

#[tokio::test]
async fn reuse_ends_one_session_alone() {
    let auth = Service::start().await;
    let phone = auth.player("wanjiru").await;
    let laptop = auth.sign_in("wanjiru@example.com", PASSWORD).await.unwrap();
    auth.refresh(&phone.refresh_token).await.unwrap();
    auth.clock.advance(Duration::from_mins(1));
    assert_revoked(auth.refresh(&phone.refresh_token).await);
    auth.refresh(&laptop.refresh_token).await.unwrap();
}

#[tokio::test]
async fn concurrent_refreshes_get_the_same_successor() {
    let auth = Service::start().await;
    let first = auth.player("wanjiru").await;
    let refresh = || auth.refresh(&first.refresh_token);
    let (a, b, c, d) = tokio::join!(refresh(), refresh(), refresh(), refresh());
    let tokens = [a, b, c, d].map(|session| session.unwrap().refresh_token);
    assert!(tokens.iter().all(|token| *token == tokens[0]), "{tokens:?}");
    auth.refresh(&tokens[0]).await.unwrap();
}

#[tokio::test]
async fn a_new_window_is_signed_in_by_the_cookie() {
    let auth = Service::start().await;
    let first = auth.player("wanjiru").await;
    let window = auth.refresh_in_browser("", &first.refresh_token, None).await.unwrap();
    assert_eq!(window.uid, first.uid);
    assert_revoked(auth.refresh_in_browser("", "", None).await);
    // A window with a text that is no token is not a new window.
    assert_revoked(auth.refresh_in_browser("x", &window.refresh_token, None).await);
    auth.refresh(&window.refresh_token).await.unwrap();
}

#[tokio::test]
async fn a_window_that_slept_goes_on_with_the_cookies_newer_token() {
    let auth = Service::start().await;
    let slept = auth.player("wanjiru").await;
    let second = auth.refresh(&slept.refresh_token).await.unwrap();
    let cookie = auth.refresh(&second.refresh_token).await.unwrap();
    auth.clock.advance(days(1));
    let woken =
        auth.refresh_in_browser(&slept.refresh_token, &cookie.refresh_token, None).await.unwrap();
    // The browser was killed before it wrote the newest cookie.
    auth.clock.advance(days(1));
    auth.refresh_in_browser(&woken.refresh_token, &cookie.refresh_token, None).await.unwrap();
    // Without the newest token the old one counts as reused, whatever else is sent.
    auth.clock.advance(days(1));
    let both = auth.refresh_in_browser(&slept.refresh_token, &second.refresh_token, None);
    assert_revoked(both.await);
}

#[tokio::test]
async fn a_window_keeps_its_own_session_beside_the_cookie_of_another() {
    let auth = Service::start().await;
    let (wanjiru, otieno) = (auth.player("wanjiru").await, auth.player("otieno").await);
    let next =
        auth.refresh_in_browser(&wanjiru.refresh_token, &otieno.refresh_token, None).await.unwrap();
    assert_eq!(next.uid, wanjiru.uid);
    auth.sign_out(&next.access_token, &next.refresh_token).await.unwrap();
    let ended = auth.refresh_in_browser(&next.refresh_token, &otieno.refresh_token, None);
    assert_revoked(ended.await);
    assert_eq!(auth.refresh(&otieno.refresh_token).await.unwrap().uid, otieno.uid);
}

#[tokio::test]
async fn a_session_remembers_that_the_player_stays_signed_in() {
    let auth = Service::start().await;
    let first = auth.player("wanjiru").await;
    assert!(!first.stay_signed_in);
    let token = &first.refresh_token;
    let stays = auth.refresh_in_browser(token, "", Some(true)).await.unwrap();
    assert!(stays.stay_signed_in);
    // A refresh with the same token, as after a lost reply, and without `stay_signed_in`.
    assert!(auth.refresh_in_browser(token, "", None).await.unwrap().stay_signed_in);
    let next = auth.refresh(&stays.refresh_token).await.unwrap();
    assert!(next.stay_signed_in);
    let token = &next.refresh_token;
    let leaves = auth.refresh_in_browser(token, "", Some(false)).await.unwrap();
    assert!(!leaves.stay_signed_in);
    assert!(!auth.sign_in("wanjiru@example.com", PASSWORD).await.unwrap().stay_signed_in);
}

#[tokio::test]
async fn a_session_expires_after_30_idle_days_and_after_90_days() {
    let auth = Service::start().await;
    let idle = auth.player("idle").await;
    let mut busy = auth.player("busy").await;
    for _ in 0..3 {
        auth.clock.advance(days(29));
        busy = auth.refresh(&busy.refresh_token).await.unwrap();
    }
    assert_revoked(auth.refresh(&idle.refresh_token).await);
    auth.clock.advance(days(3));
    assert_revoked(auth.refresh(&busy.refresh_token).await);
}

#[tokio::test]
async fn other_texts_are_refused() {
    let auth = Service::start().await;
    for token in ["", "x", &"A".repeat(43), "' OR 1=1 --"] {
        assert_revoked(auth.refresh(token).await);
    }
}

#[tokio::test]
async fn sign_out_ends_the_session_and_can_be_repeated() {
    let auth = Service::start().await;
    let session = auth.player("wanjiru").await;
    for _ in 0..2 {
        auth.sign_out(&session.access_token, &session.refresh_token).await.unwrap();
    }
    assert_revoked(auth.refresh(&session.refresh_token).await);
    auth.sign_in("wanjiru@example.com", PASSWORD).await.unwrap();
}

#[tokio::test]
async fn a_player_cannot_sign_another_out() {
    let auth = Service::start().await;
    let victim = auth.player("wanjiru").await;
    let other = auth.player("kamau").await;
    let fault = auth.sign_out("", &victim.refresh_token).await.unwrap_err();
    assert_eq!(fault.code, Code::Unauthenticated);
    auth.sign_out(&other.access_token, &victim.refresh_token).await.unwrap();
    auth.refresh(&victim.refresh_token).await.unwrap();
    // The caller's own session has ended.
    assert_revoked(auth.refresh(&other.refresh_token).await);
}

#[tokio::test]
async fn sign_out_ends_the_calling_session_whatever_token_it_names() {
    let auth = Service::start().await;
    let phone = auth.player("wanjiru").await;
    let laptop = auth.sign_in("wanjiru@example.com", PASSWORD).await.unwrap();
    auth.sign_out(&phone.access_token, &laptop.refresh_token).await.unwrap();
    assert_revoked(auth.refresh(&phone.refresh_token).await);
    assert_revoked(auth.refresh(&laptop.refresh_token).await);
    let tablet = auth.sign_in("wanjiru@example.com", PASSWORD).await.unwrap();
    auth.sign_out(&tablet.access_token, "no token").await.unwrap();
    assert_revoked(auth.refresh(&tablet.refresh_token).await);
}

#[tokio::test]
async fn tokens_are_not_stored_in_plain_text() {
    let auth = Service::start().await;
    let first = auth.player("wanjiru").await;
    let second = auth.refresh(&first.refresh_token).await.unwrap();
    let mut conn = connect(&auth.database).await;
    let rows: Vec<String> = sqlx::query_scalar(
        "SELECT to_jsonb(t)::text FROM refresh_token t
         UNION ALL SELECT to_jsonb(s)::text FROM session s",
    )
    .fetch_all(&mut conn)
    .await
    .unwrap();
    assert_eq!(rows.len(), 3, "two tokens of one session");
    for token in [&first.refresh_token, &second.refresh_token] {
        let bytes = URL_SAFE_NO_PAD.decode(token).unwrap();
        let hex = bytes.iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"));
        assert!(rows.iter().all(|row| !row.contains(&hex)), "a token in plain text");
    }
}

/// A refresh reads the session under its lock, so one during a sign-out waits for it and
/// is refused.
#[tokio::test]
async fn a_refresh_during_a_sign_out_is_refused() {
    let auth = Service::start().await;
    let session = auth.player("wanjiru").await;
    let mut conn = connect(&auth.database).await;
    let mut tx = conn.begin().await.unwrap();
    sqlx::query("UPDATE session SET ended_at = created_at, ended_because = 'SIGNED_OUT'")
        .execute(&mut *tx)
        .await
        .unwrap();

    let commit = async {
        until_a_lock_is_awaited(&auth.database).await;
        tx.commit().await.unwrap();
    };
    let (refreshed, ()) = tokio::join!(auth.refresh(&session.refresh_token), commit);
    assert_revoked(refreshed);
}
