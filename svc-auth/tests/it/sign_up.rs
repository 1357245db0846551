//! Signing up by email.

use time::OffsetDateTime;
use tonic::Code;

use crate::harness::{PASSWORD, Service, connect};

#[tokio::test]
async fn a_sign_up_opens_a_session_and_creates_a_profile() {
    let auth = Service::start().await;
    let session = auth.sign_up(" Wanjiru@Example.com ", PASSWORD).await.unwrap();
    assert!(session.is_new_user);
    let lives = session.expiration_time_ms - auth.clock.now().unix_timestamp() * 1_000;
    assert_eq!(lives, 15 * 60 * 1_000);

    let first = auth.profile(&session.access_token).await.unwrap();
    let profile = first.profile.unwrap();
    assert!(first.created, "the first read reports a new account");
    assert_eq!(profile.uid, session.uid);
    assert_eq!(profile.email.as_deref(), Some("wanjiru@example.com"));
    assert_eq!((profile.name, profile.username, profile.dob), (None, None, None));
    assert_eq!(profile.referral_code.len(), 8);
    assert!(!auth.profile(&session.access_token).await.unwrap().created);
}

#[tokio::test]
async fn a_new_address_is_not_verified() {
    let auth = Service::start().await;
    auth.player("wanjiru").await;
    let mut conn = connect(&auth.database).await;
    let verified: Vec<Option<OffsetDateTime>> =
        sqlx::query_scalar("SELECT verified_at FROM email_identity")
            .fetch_all(&mut conn)
            .await
            .unwrap();
    assert_eq!(verified, [None]);
}

#[tokio::test]
async fn one_of_concurrent_first_reads_is_the_first() {
    let auth = Service::start().await;
    let session = auth.player("wanjiru").await;
    let look = || auth.profile(&session.access_token);
    let (a, b, c, d) = tokio::join!(look(), look(), look(), look());
    let created = [a, b, c, d].map(|reply| reply.unwrap().created);
    assert_eq!(created.iter().filter(|created| **created).count(), 1);
}

#[tokio::test]
async fn a_weak_password_is_refused_with_the_specifications_text() {
    let auth = Service::start().await;
    let fault = auth.sign_up("wanjiru@example.com", "12345").await.unwrap_err();
    assert_eq!(fault.reason, "WEAK_PASSWORD");
    assert_eq!(fault.message, "Password should be at least 6 characters.");
    let fault = auth.sign_up("wanjiru@example.com", &"x".repeat(129)).await.unwrap_err();
    assert_eq!(fault.fields[0].name, "password");
}

#[tokio::test]
async fn a_password_that_is_tried_first_is_refused() {
    let auth = Service::start().await;
    for password in ["123456", "Password1", "wanjiru", "Wanjiru1"] {
        let fault = auth.sign_up("wanjiru@example.com", password).await.unwrap_err();
        assert_eq!(fault.reason, "GUESSABLE_PASSWORD", "{password}");
    }
    auth.sign_up("wanjiru@example.com", "ajua na chai").await.unwrap();
}

#[tokio::test]
async fn an_invalid_email_is_refused() {
    let auth = Service::start().await;
    for (email, text) in
        [("", "Please enter your email"), ("wanjiru@localhost", "Invalid email address")]
    {
        let fault = auth.sign_up(email, PASSWORD).await.unwrap_err();
        assert_eq!(fault.code, Code::InvalidArgument);
        assert_eq!(fault.wrong_fields(), [("email", text)]);
    }
}

#[tokio::test]
async fn an_email_is_unique_without_regard_to_case() {
    let auth = Service::start().await;
    auth.sign_up("wanjiru@example.com", PASSWORD).await.unwrap();
    let fault = auth.sign_up("Wanjiru@EXAMPLE.com", "another-one").await.unwrap_err();
    assert_eq!((fault.code, fault.reason.as_ref()), (Code::AlreadyExists, "EMAIL_TAKEN"));
    let still = auth.sign_in("wanjiru@example.com", PASSWORD).await;
    assert!(still.is_ok(), "the first account is unchanged");
}

#[tokio::test]
async fn one_of_two_concurrent_sign_ups_gets_the_email() {
    let auth = Service::start().await;
    let sign_up = || auth.sign_up("wanjiru@example.com", PASSWORD);
    let (a, b) = tokio::join!(sign_up(), sign_up());
    let (won, lost): (Vec<_>, Vec<_>) = [a, b].into_iter().partition(Result::is_ok);
    assert_eq!((won.len(), lost.len()), (1, 1));
    assert_eq!(lost[0].as_ref().unwrap_err().reason, "EMAIL_TAKEN");
}
