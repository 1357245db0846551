//! Signing in with Google and Facebook, and the player that each sign-in finds.

use std::collections::HashMap;

use proto::auth::v1::{ListProvidersRequest, ListProvidersResponse};
use reqwest::Url;
use serde_json::json;
use tonic::Code;

use crate::{
    harness::{PASSWORD, Service, connect, days, postpone_mails, until_a_lock_is_awaited},
    social::{Back, Facebook, Google, Social},
};

async fn players(auth: &Service) -> i64 {
    sqlx::query_scalar("SELECT count(*) FROM player")
        .fetch_one(&mut connect(&auth.database).await)
        .await
        .unwrap()
}

/// The token of the link in a mail.
fn token(mail: &str, page: &str) -> String {
    let (_, rest) = mail.split_once(page).unwrap();
    rest.split_whitespace().next().unwrap().to_owned()
}

#[tokio::test]
async fn a_new_player_gets_googles_name_and_address() {
    let world = Social::new().await;
    world.account(Google, "mary@gmail.com", json!({ "name": "Mary Wanjirũ" })).await;
    let session = world.sign_in(Google, "mary@gmail.com").await.unwrap();
    assert!(session.is_new_user);
    let own = world.auth.profile(&session.access_token).await.unwrap();
    assert!(own.created);
    let profile = own.profile.unwrap();
    assert_eq!(profile.name.as_deref(), Some("Mary Wanjirũ"));
    assert_eq!(profile.email.as_deref(), Some("mary@gmail.com"));
    assert_eq!(profile.phone, None);
    world.auth.refresh(&session.refresh_token).await.unwrap();
}

#[tokio::test]
async fn a_returning_subject_is_the_same_player_with_any_address() {
    let world = Social::new().await;
    for (provider, key) in [(Google, "mary@gmail.com"), (Facebook, "10000000000000001")] {
        world.account(provider, key, json!({ "name": "Mary", "sub": "10000000000000001" })).await;
        let first = world.sign_in(provider, key).await.unwrap();
        let change = json!({ "name": "Mary K.", "email": "mary.k@example.test" });
        world.account(provider, "10000000000000001", change).await;
        let second = world.sign_in(provider, "10000000000000001").await.unwrap();
        assert_eq!(second.uid, first.uid);
        assert!(first.is_new_user && !second.is_new_user);
        let profile = world.auth.profile(&second.access_token).await.unwrap().profile.unwrap();
        assert_eq!(profile.name.as_deref(), Some("Mary"), "the profile is the player's own");
    }
}

#[tokio::test]
async fn a_facebook_account_may_have_no_address_and_an_invalid_name() {
    let world = Social::new().await;
    let name = "\u{202e}yraM";
    world.account(Facebook, "10000000000000002", json!({ "name": name, "email": "" })).await;
    let session = world.sign_in(Facebook, "10000000000000002").await.unwrap();
    let profile = world.auth.profile(&session.access_token).await.unwrap().profile.unwrap();
    assert_eq!((profile.name, profile.email), (None, None));
    let again = world.sign_in(Facebook, "10000000000000002").await.unwrap();
    assert_eq!(again.uid, session.uid);
}

#[tokio::test]
async fn the_authorization_url_has_state_and_challenge_and_no_secret() {
    let world = Social::new().await;
    for (provider, scope) in [(Google, "openid email profile"), (Facebook, "email,public_profile")]
    {
        let started = world.start(provider).await.unwrap();
        let url = Url::parse(&started.authorization_url).unwrap();
        let query: HashMap<_, _> = url.query_pairs().into_owned().collect();
        assert_eq!(query["response_type"], "code");
        assert_eq!(query["scope"], scope);
        assert_eq!(query["state"], started.state);
        assert_eq!(query["code_challenge_method"], "S256");
        assert_eq!(query["code_challenge"].len(), 43);
        assert_eq!(query.contains_key("nonce"), provider == Google);
        assert!(!started.authorization_url.contains("secret"));
        assert!(!started.authorization_url.contains(&started.browser_secret));
        assert_ne!(query["code_challenge"], started.state);
    }
}

#[tokio::test]
async fn a_confirmed_address_joins_the_account_and_keeps_its_password() {
    let world = Social::new().await;
    let first = world.auth.sign_up("mary@gmail.com", PASSWORD).await.unwrap();
    let mail = world.mail("mary@gmail.com").await;
    let link = token(&mail, "/confirm-email?token=");
    world.auth.confirm_email(&link, PASSWORD).await.unwrap();
    world.account(Google, "mary@gmail.com", json!({ "name": "Mary" })).await;
    let joined = world.sign_in(Google, "mary@gmail.com").await.unwrap();
    assert_eq!(joined.uid, first.uid);
    assert!(!joined.is_new_user);
    world.auth.refresh(&first.refresh_token).await.unwrap();
    let by_password = world.auth.sign_in("mary@gmail.com", PASSWORD).await.unwrap();
    assert_eq!(by_password.uid, first.uid);
}

/// An attacker registered another person's address, and has a password, a session and a
/// link.
#[tokio::test]
async fn an_unconfirmed_address_is_taken_over_by_its_verified_owner() {
    let world = Social::new().await;
    let early = world.auth.sign_up("mary@gmail.com", PASSWORD).await.unwrap();
    let mail = world.mail("mary@gmail.com").await;
    sqlx::query(
        "INSERT INTO payout_phone (player_id, phone, proven_at, opens_at)
         SELECT id, '+254712345678', created_at, created_at FROM player",
    )
    .execute(&mut connect(&world.auth.database).await)
    .await
    .unwrap();
    assert_eq!(world.auth.payout_phones(&early).await.len(), 1);
    world.account(Google, "mary@gmail.com", json!({})).await;
    let holder = world.sign_in(Google, "mary@gmail.com").await.unwrap();
    assert_eq!(holder.uid, early.uid);

    let auth = &world.auth;
    assert_eq!(auth.refresh(&early.refresh_token).await.unwrap_err().reason, "SESSION_REVOKED");
    testkit::eventually("the end of the access token", || async {
        auth.profile(&early.access_token).await.err()
    })
    .await;
    let fault = auth.sign_in("mary@gmail.com", PASSWORD).await.unwrap_err();
    assert_eq!(fault.reason, "BAD_CREDENTIALS");
    let link = token(&mail, "/confirm-email?token=");
    assert_eq!(auth.confirm_email(&link, PASSWORD).await.unwrap_err().reason, "LINK_EXPIRED");
    let fault = auth.sign_up("mary@gmail.com", "another-one").await.unwrap_err();
    assert_eq!(fault.reason, "EMAIL_TAKEN");
    assert!(auth.profile(&holder.access_token).await.is_ok());
    assert_eq!(auth.payout_phones(&holder).await, []);
    let because: Vec<String> =
        sqlx::query_scalar("SELECT ended_because FROM session WHERE ended_at IS NOT NULL")
            .fetch_all(&mut connect(&auth.database).await)
            .await
            .unwrap();
    assert_eq!(because, ["ACCOUNT_JOINED"]);
}

/// The sign-in has checked the password already when the account is taken over.
#[tokio::test]
async fn a_sign_in_during_the_takeover_opens_no_session() {
    use sqlx::Connection as _;

    let auth = Service::start().await;
    let session = auth.player("wanjiru").await;
    // The welcome mail would wait for the same lock.
    postpone_mails(&auth).await;
    let mut conn = connect(&auth.database).await;
    let mut taking = conn.begin().await.unwrap();
    for statement in ["SELECT FROM player FOR NO KEY UPDATE", "DELETE FROM email_identity"] {
        sqlx::query(statement).execute(&mut *taking).await.unwrap();
    }
    let commit = async {
        until_a_lock_is_awaited(&auth.database).await;
        taking.commit().await.unwrap();
    };
    let (signed_in, ()) = tokio::join!(auth.sign_in("wanjiru@example.com", PASSWORD), commit);
    assert_eq!(signed_in.unwrap_err().code, Code::Aborted);
    let sessions: i64 =
        sqlx::query_scalar("SELECT count(*) FROM session").fetch_one(&mut conn).await.unwrap();
    assert_eq!(sessions, 1, "the session of the sign-up");
    auth.refresh(&session.refresh_token).await.unwrap();
}

#[tokio::test]
async fn an_address_that_the_provider_has_not_verified_joins_no_account() {
    let world = Social::new().await;
    let victim = world.auth.sign_up("mary@gmail.com", PASSWORD).await.unwrap();
    let unverified = json!({ "emailVerified": false });
    world.account(Google, "mary@gmail.com", unverified.clone()).await;
    world.account(Facebook, "mary@gmail.com", unverified).await;
    for provider in [Google, Facebook] {
        let stranger = world.sign_in(provider, "mary@gmail.com").await.unwrap();
        assert_ne!(stranger.uid, victim.uid);
        assert!(stranger.is_new_user);
    }
    assert_eq!(players(&world.auth).await, 3);
    world.auth.refresh(&victim.refresh_token).await.unwrap();
    world.auth.sign_in("mary@gmail.com", PASSWORD).await.unwrap();
}

#[tokio::test]
async fn a_provider_verified_address_refuses_a_sign_up_and_allows_a_reset() {
    let world = Social::new().await;
    world.account(Google, "mary@gmail.com", json!({})).await;
    let session = world.sign_in(Google, "mary@gmail.com").await.unwrap();
    let auth = &world.auth;
    let fault = auth.sign_up("Mary@gmail.com", PASSWORD).await.unwrap_err();
    assert_eq!(fault.reason, "EMAIL_TAKEN");

    auth.request_reset("mary@gmail.com").await.unwrap();
    let link = token(&world.mail("mary@gmail.com").await, "/reset-password?token=");
    auth.confirm_reset(&link, PASSWORD).await.unwrap();
    let by_password = auth.sign_in("mary@gmail.com", PASSWORD).await.unwrap();
    assert_eq!(by_password.uid, session.uid);
    let by_google = world.sign_in(Google, "mary@gmail.com").await.unwrap();
    assert_eq!(by_google.uid, session.uid);
    auth.sign_in("mary@gmail.com", PASSWORD).await.unwrap();
}

/// Addresses get new owners. An address that Google no longer verifies must not give its new owner
/// access to the old owner's account.
#[tokio::test]
async fn an_address_that_was_dropped_joins_no_account() {
    let world = Social::new().await;
    world.account(Google, "mary@gmail.com", json!({ "sub": "100000000000000000001" })).await;
    let mary = world.sign_in(Google, "mary@gmail.com").await.unwrap();
    let moved = json!({ "email": "mary.k@example.test" });
    world.account(Google, "100000000000000000001", moved).await;
    assert_eq!(world.sign_in(Google, "mary.k@example.test").await.unwrap().uid, mary.uid);

    world.account(Facebook, "mary@gmail.com", json!({})).await;
    let other = world.sign_in(Facebook, "mary@gmail.com").await.unwrap();
    assert_ne!(other.uid, mary.uid);
}

#[tokio::test]
async fn a_reset_link_to_an_address_that_was_dropped_is_refused() {
    let world = Social::new().await;
    world.account(Google, "mary@gmail.com", json!({ "sub": "100000000000000000001" })).await;
    world.sign_in(Google, "mary@gmail.com").await.unwrap();
    world.auth.request_reset("mary@gmail.com").await.unwrap();
    let link = token(&world.mail("mary@gmail.com").await, "/reset-password?token=");

    let moved = json!({ "email": "mary.k@example.test" });
    world.account(Google, "100000000000000000001", moved).await;
    world.sign_in(Google, "mary.k@example.test").await.unwrap();
    let fault = world.auth.confirm_reset(&link, PASSWORD).await.unwrap_err();
    assert_eq!(fault.reason, "RESET_EXPIRED");
    let fault = world.auth.sign_in("mary@gmail.com", PASSWORD).await.unwrap_err();
    assert_eq!(fault.reason, "BAD_CREDENTIALS");
}

#[tokio::test]
async fn concurrent_first_sign_ins_create_one_player() {
    let world = Social::new().await;
    world.account(Google, "mary@gmail.com", json!({})).await;
    world.account(Facebook, "mary@gmail.com", json!({})).await;
    let (a, b, c, d) = tokio::join!(
        world.sign_in(Google, "mary@gmail.com"),
        world.sign_in(Google, "mary@gmail.com"),
        world.sign_in(Facebook, "mary@gmail.com"),
        world.sign_in(Facebook, "mary@gmail.com"),
    );
    let google = [a, b].map(Result::unwrap);
    assert_eq!(google[0].uid, google[1].uid);
    for facebook in [c, d] {
        match facebook {
            Ok(session) => assert_eq!(session.uid, google[0].uid, "signed in first"),
            // The exchange code was replaced by the other sign-in, or deleted when Google's took
            // the account over.
            Err(fault) if fault.reason == "OAUTH_EXPIRED" => {}
            Err(fault) => assert_eq!(fault.reason, "EMAIL_CODE_NEEDED"),
        }
    }
    assert_eq!(players(&world.auth).await, 1);
}

#[tokio::test]
async fn a_concurrent_sign_up_and_provider_sign_in_create_one_player() {
    let world = Social::new().await;
    world.account(Google, "mary@gmail.com", json!({})).await;
    let (signed_up, verified) = tokio::join!(
        world.auth.sign_up("mary@gmail.com", PASSWORD),
        world.sign_in(Google, "mary@gmail.com"),
    );
    let verified = verified.unwrap();
    match signed_up {
        Ok(session) => assert_eq!(session.uid, verified.uid, "signed up first, and taken over"),
        Err(fault) => assert_eq!(fault.reason, "EMAIL_TAKEN"),
    }
    assert_eq!(players(&world.auth).await, 1);
    let fault = world.auth.sign_in("mary@gmail.com", PASSWORD).await.unwrap_err();
    assert_eq!(
        fault.reason, "BAD_CREDENTIALS",
        "the unverified password is removed in either order"
    );
}

#[tokio::test]
async fn a_providers_sign_in_cancels_the_deletion() {
    let world = Social::new().await;
    world.account(Facebook, "mary@gmail.com", json!({})).await;
    let session = world.sign_in(Facebook, "mary@gmail.com").await.unwrap();
    crate::deletion::delete(&world.auth, &session).await.unwrap();
    world.auth.clock.advance(days(29));
    // Facebook's replies contain no times, so the sandbox's clock need not be moved.
    let leaving = "SELECT count(*) FROM player WHERE deletion_due_at IS NOT NULL";
    let mut conn = connect(&world.auth.database).await;
    let count: i64 = sqlx::query_scalar(leaving).fetch_one(&mut conn).await.unwrap();
    assert_eq!(count, 1);
    let back = world.sign_in(Facebook, "mary@gmail.com").await.unwrap();
    assert_eq!(back.uid, session.uid);
    let count: i64 = sqlx::query_scalar(leaving).fetch_one(&mut conn).await.unwrap();
    assert_eq!(count, 0);
}

#[tokio::test]
async fn a_provider_without_credentials_is_switched_off() {
    let world = Social::new().await;
    let listed = world.auth.auth.clone().list_providers(ListProvidersRequest {}).await.unwrap();
    let listed = listed.into_inner();
    assert!(listed.google && listed.facebook);

    let off = world.without_providers().await;
    let listed = off.auth.auth.clone().list_providers(ListProvidersRequest {}).await.unwrap();
    let expected = ListProvidersResponse { email: true, ..ListProvidersResponse::default() };
    assert_eq!(listed.into_inner(), expected);
    for provider in [Google, Facebook] {
        let fault = off.start(provider).await.unwrap_err();
        assert_eq!((fault.code, fault.reason.as_ref()), (Code::FailedPrecondition, "PROVIDER_OFF"));
        let back =
            Back { provider, state: "A".repeat(43), browser_secret: "A".repeat(43), answer: None };
        assert_eq!(off.finish(back).await.unwrap_err().reason, "PROVIDER_OFF");
    }
}
