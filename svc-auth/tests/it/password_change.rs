//! Another password, by the old one.

use mesh::Fault;
use tonic::Code;

use crate::{
    harness::{PASSWORD, connect, with_bearer},
    world::{CHANGED, PHONE, World},
};

const NEW: &str = "habari-gani";

fn assert_not_proved(outcome: Result<impl std::fmt::Debug, Fault>) {
    let fault = outcome.unwrap_err();
    assert_eq!((fault.code, fault.reason.as_ref()), (Code::Unauthenticated, "REAUTH_FAILED"));
    assert_eq!(
        fault.message,
        "Could not re-authenticate you. If this error persists, Try to use the reset password \
         link at the bottom of this page."
    );
}

#[tokio::test]
async fn the_old_password_sets_a_new_one_and_ends_all_sessions_but_this() {
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
async fn a_reset_link_that_was_out_is_void_afterwards() {
    let world = World::new().await;
    let (email, session) = world.player("wanjiru").await;
    let token = world.reset_link(&email).await;
    world.auth.change_password(&session.access_token, &email, PASSWORD, NEW).await.unwrap();
    let fault = world.auth.confirm_reset(&token, "third-one").await.unwrap_err();
    assert_eq!(fault.reason, "RESET_EXPIRED");
}

#[tokio::test]
async fn a_wrong_email_or_password_proves_nothing() {
    let world = World::new().await;
    let (email, session) = world.player("wanjiru").await;
    let (other, _) = world.player("kamau").await;
    let bearer = &session.access_token;
    for (email, old) in [
        (email.as_str(), "not-this-one"),
        (other.as_str(), PASSWORD),
        ("nobody@example.com", PASSWORD),
    ] {
        assert_not_proved(world.auth.change_password(bearer, email, old, NEW).await);
    }
    world.auth.sign_in(&email, PASSWORD).await.unwrap();
    world.auth.sign_in(&other, PASSWORD).await.unwrap();
}

#[tokio::test]
async fn tries_count_as_tries_to_sign_in_do() {
    let world = World::new().await;
    let (email, session) = world.player("wanjiru").await;
    let bearer = &session.access_token;
    for _ in 0..5 {
        assert_not_proved(world.auth.change_password(bearer, &email, "not-this-one", NEW).await);
        // Another address does not make it another account.
        assert_not_proved(world.auth.change_password(bearer, "a@example.com", PASSWORD, NEW).await);
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
async fn of_two_changes_at_once_one_is_made() {
    let world = World::new().await;
    let (email, session) = world.player("wanjiru").await;
    let change = |new| world.auth.change_password(&session.access_token, &email, PASSWORD, new);
    let (a, b) = tokio::join!(change("first-one"), change("second-one"));
    let (won, lost) = if a.is_ok() { ("first-one", b) } else { ("second-one", a) };
    assert_not_proved(lost);
    world.auth.sign_in(&email, won).await.unwrap();
}

#[tokio::test]
async fn an_account_without_a_password_has_none_to_change() {
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
async fn the_form_is_judged_before_a_try_is_counted() {
    let world = World::new().await;
    let (email, session) = world.player("wanjiru").await;
    let bearer = &session.access_token;
    for _ in 0..11 {
        let fault =
            world.auth.change_password(bearer, &email, PASSWORD, "12345").await.unwrap_err();
        assert_eq!(fault.reason, "WEAK_PASSWORD");
    }
    for (email, old, field, text) in [
        ("", PASSWORD, "email", "Please enter your email"),
        (email.as_str(), "", "oldPassword", "Please enter your old password."),
    ] {
        let fault = world.auth.change_password(bearer, email, old, NEW).await.unwrap_err();
        assert_eq!(fault.fields, [(field.to_owned(), text.to_owned())]);
    }
    world.auth.change_password(bearer, &email, PASSWORD, NEW).await.unwrap();
}

#[tokio::test]
async fn a_guest_changes_nothing() {
    let world = World::new().await;
    let request = proto::auth::v1::ChangePasswordRequest::default();
    let fault = world.auth.auth.clone().change_password(with_bearer(request, "")).await;
    assert_eq!(fault.unwrap_err().code(), Code::Unauthenticated);
}

#[tokio::test]
async fn a_hash_that_cost_less_is_made_anew_at_the_next_sign_in() {
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
    assert_eq!(hash().await, renewed, "once is enough");
    world.auth.sign_in(&email, PASSWORD).await.unwrap();
    assert_eq!(hash().await, renewed, "a replica of before does not make it weaker");
}
