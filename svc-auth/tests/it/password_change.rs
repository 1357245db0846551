//! Changing a password by the old one.

use mesh::Fault;
use tonic::Code;

use crate::{
    harness::{PASSWORD, connect, with_bearer},
    world::{CHANGED, PHONE, World},
};

const NEW: &str = "habari-gani";

fn assert_reauth_failed(outcome: Result<impl std::fmt::Debug, Fault>) {
    let fault = outcome.unwrap_err();
    assert_eq!((fault.code, fault.reason.as_ref()), (Code::Unauthenticated, "REAUTH_FAILED"));
    assert_eq!(
        fault.message,
        "Could not re-authenticate you. If this error persists, Try to use the reset password \
         link at the bottom of this page."
    );
}

#[tokio::test]
async fn a_change_ends_all_other_sessions() {
    let world = World::new().await;
    let (email, phone) = world.player("wanjiru").await;
    let laptop = world.auth.sign_in(&email, PASSWORD).await.unwrap();
    let bearer = &laptop.access_token;
    world.auth.change_password(bearer, "Wanjiru@Example.com", PASSWORD, NEW).await.unwrap();

    world.auth.refresh(&laptop.refresh_token).await.unwrap();
    let fault = world.auth.refresh(&phone.refresh_token).await.unwrap_err();
    assert_eq!(fault.reason, "SESSION_REVOKED");
    assert_eq!(world.auth.sign_in(&email, PASSWORD).await.unwrap_err().reason, "BAD_CREDENTIALS");
    world.auth.sign_in(&email, NEW).await.unwrap();
    let mut conn = connect(&world.auth.database).await;
    let because: Vec<String> =
        sqlx::query_scalar("SELECT ended_because FROM session WHERE ended_at IS NOT NULL")
            .fetch_all(&mut conn)
            .await
            .unwrap();
    assert_eq!(because, ["PASSWORD_CHANGED"]);
    world.mail(&email, CHANGED).await;
}

#[tokio::test]
async fn a_change_voids_pending_reset_links() {
    let world = World::new().await;
    let (email, session) = world.player("wanjiru").await;
    let token = world.reset_link(&email).await;
    world.auth.change_password(&session.access_token, &email, PASSWORD, NEW).await.unwrap();
    let fault = world.auth.confirm_reset(&token, "third-one").await.unwrap_err();
    assert_eq!(fault.reason, "RESET_EXPIRED");
}

#[tokio::test]
async fn a_wrong_email_or_password_is_refused() {
    let world = World::new().await;
    let (email, session) = world.player("wanjiru").await;
    let (other, _) = world.player("kamau").await;
    let bearer = &session.access_token;
    for (email, old) in [
        (email.as_str(), "not-this-one"),
        (other.as_str(), PASSWORD),
        ("unknown@example.com", PASSWORD),
    ] {
        assert_reauth_failed(world.auth.change_password(bearer, email, old, NEW).await);
    }
    world.auth.sign_in(&email, PASSWORD).await.unwrap();
    world.auth.sign_in(&other, PASSWORD).await.unwrap();
}

#[tokio::test]
async fn failed_changes_count_as_failed_sign_ins() {
    let world = World::new().await;
    let (email, session) = world.player("wanjiru").await;
    let bearer = &session.access_token;
    for _ in 0..5 {
        assert_reauth_failed(world.auth.change_password(bearer, &email, "not-this-one", NEW).await);
        // The failures count for the caller's account, whatever address is sent.
        assert_reauth_failed(
            world.auth.change_password(bearer, "a@example.com", PASSWORD, NEW).await,
        );
    }
    let closed = world.auth.change_password(bearer, &email, PASSWORD, NEW).await.unwrap_err();
    assert_eq!((closed.code, closed.reason.as_ref()), (Code::ResourceExhausted, "RATE_LIMITED"));
    assert_eq!(world.auth.sign_in(&email, PASSWORD).await.unwrap_err().reason, "RATE_LIMITED");
    world.auth.clock.advance(closed.retry_after.unwrap());
    let session = world.auth.sign_in(&email, PASSWORD).await.unwrap();
    let bearer = &session.access_token;
    world.auth.change_password(bearer, &email, PASSWORD, NEW).await.unwrap();
}

#[tokio::test]
async fn one_of_two_concurrent_changes_succeeds() {
    let world = World::new().await;
    let (email, session) = world.player("wanjiru").await;
    let change = |new| world.auth.change_password(&session.access_token, &email, PASSWORD, new);
    let (a, b) = tokio::join!(change("first-one"), change("second-one"));
    let (won, lost) = if a.is_ok() { ("first-one", b) } else { ("second-one", a) };
    assert_reauth_failed(lost);
    world.auth.sign_in(&email, won).await.unwrap();
}

#[tokio::test]
async fn an_account_without_a_password_is_refused() {
    let world = World::new().await;
    let sent = world.auth.start_phone(PHONE).await.unwrap();
    let code = world.code(PHONE).await;
    let session = world.auth.verify_phone(&sent.challenge_id, &code).await.unwrap();
    let bearer = &session.access_token;
    let fault = world.auth.change_password(bearer, "a@example.com", PASSWORD, NEW).await;
    let fault = fault.unwrap_err();
    assert_eq!(
        (fault.code, fault.reason.as_ref()),
        (Code::FailedPrecondition, "NO_PASSWORD_LOGIN")
    );
    assert_eq!(
        fault.message,
        "Your sign-in method does not allow you to change your password. Try to use the reset \
         password link at the bottom of this page."
    );
}

#[tokio::test]
async fn an_invalid_form_does_not_count_as_an_attempt() {
    let world = World::new().await;
    let (email, session) = world.player("wanjiru").await;
    let bearer = &session.access_token;
    for _ in 0..11 {
        let fault =
            world.auth.change_password(bearer, &email, PASSWORD, "12345").await.unwrap_err();
        assert_eq!(fault.reason, "WEAK_PASSWORD");
        let fault =
            world.auth.change_password(bearer, &email, PASSWORD, "iloveyou").await.unwrap_err();
        assert_eq!(fault.reason, "GUESSABLE_PASSWORD");
    }
    for (email, old, field, text) in [
        ("", PASSWORD, "email", "Please enter your email"),
        (email.as_str(), "", "old_password", "Please enter your old password."),
    ] {
        let fault = world.auth.change_password(bearer, email, old, NEW).await.unwrap_err();
        assert_eq!(fault.wrong_fields(), [(field, text)]);
    }
    world.auth.change_password(bearer, &email, PASSWORD, NEW).await.unwrap();
}

#[tokio::test]
async fn a_guest_cannot_change_a_password() {
    let world = World::new().await;
    let request = proto::auth::v1::ChangePasswordRequest::default();
    let fault = world.auth.auth.clone().change_password(with_bearer(request, "")).await;
    assert_eq!(fault.unwrap_err().code(), Code::Unauthenticated);
}

#[tokio::test]
async fn a_weaker_hash_is_renewed_at_the_next_sign_in() {
    let world = World::new().await;
    let (email, _) = world.player("wanjiru").await;
    let hash = async || -> String {
        let mut conn = connect(&world.auth.database).await;
        sqlx::query_scalar("SELECT password_hash FROM email_identity")
            .fetch_one(&mut conn)
            .await
            .unwrap()
    };
    let old = hash().await;
    assert!(old.contains("m=8,t=1,p=1"), "{old}");
    let raised = world.another(&["--argon2-passes=2"]).await;
    raised.sign_in(&email, "not-this-one").await.unwrap_err();
    assert_eq!(hash().await, old);
    raised.sign_in(&email, PASSWORD).await.unwrap();
    let renewed = hash().await;
    assert!(renewed.contains("m=8,t=2,p=1"), "{renewed}");
    raised.sign_in(&email, PASSWORD).await.unwrap();
    assert_eq!(hash().await, renewed, "it is renewed once");
    world.auth.sign_in(&email, PASSWORD).await.unwrap();
    assert_eq!(hash().await, renewed, "a replica with weaker parameters keeps it");
}
