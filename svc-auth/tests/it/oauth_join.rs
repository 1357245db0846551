//! Which provider's word about an address joins an account, and the mailed code where it does
//! not.

use std::time::Duration;

use mesh::Fault;
use proto::auth::v1::Session;
use serde_json::json;
use tonic::Code;

use crate::{
    harness::{PASSWORD, Service},
    social::{Facebook, Google, Social},
};

const MARY: &str = "mary@gmail.com";
const MINUTE: Duration = Duration::from_mins(1);

/// A world in which Mary plays by email and password, and has confirmed the email.
async fn mary_plays() -> (Social, Session) {
    let world = Social::new().await;
    let session = confirmed(&world, MARY).await;
    (world, session)
}

async fn confirmed(world: &Social, email: &str) -> Session {
    let session = world.auth.sign_up(email, PASSWORD).await.unwrap();
    let mail = world.mail(email).await;
    let (_, link) = mail.split_once("/confirm-email?token=").unwrap();
    let link = link.split_whitespace().next().unwrap();
    world.auth.confirm_email(link, PASSWORD).await.unwrap();
    session
}

/// Mary comes back from Facebook; returns the exchange code.
async fn exchange_code(world: &Social, account: &str) -> String {
    let back = world.come_back(Facebook, account).await;
    world.finish(back).await.unwrap()
}

fn reason<T: std::fmt::Debug>(outcome: Result<T, Fault>) -> String {
    outcome.unwrap_err().reason.into_owned()
}

/// Another code of six digits.
fn wrong(code: &str) -> &str {
    if code == "000000" { "000001" } else { "000000" }
}

async fn until_signed_out(auth: &Service, session: &Session) {
    testkit::eventually("the end of the access token", || async {
        auth.profile(&session.access_token).await.err()
    })
    .await;
}

#[tokio::test]
async fn facebook_joins_an_account_only_with_the_code_of_a_mail() {
    let (world, by_password) = mary_plays().await;
    world.account(Facebook, MARY, json!({})).await;
    let exchange = exchange_code(&world, MARY).await;
    let refused = world.exchange(&exchange).await.unwrap_err();
    assert_eq!(
        (refused.code, refused.reason.as_ref()),
        (Code::FailedPrecondition, "EMAIL_CODE_NEEDED")
    );
    assert_eq!(reason(world.confirm_join(&exchange, "123456").await), "CODE_EXPIRED", "none sent");

    let code = world.mail_join_code(&exchange, MARY).await.unwrap();
    assert_eq!(reason(world.confirm_join(&exchange, wrong(&code)).await), "BAD_CODE");
    assert_eq!(reason(world.confirm_join(&exchange, "no code").await), "BAD_CODE");
    let joined = world.confirm_join(&exchange, &code).await.unwrap();
    assert_eq!(joined.uid, by_password.uid);
    assert!(!joined.is_new_user);

    world.auth.refresh(&by_password.refresh_token).await.unwrap();
    world.auth.sign_in(MARY, PASSWORD).await.unwrap();
    let again = world.sign_in(Facebook, MARY).await.unwrap();
    assert_eq!(again.uid, joined.uid, "asked for a code once");
}

#[tokio::test]
async fn google_joins_at_once_only_where_it_runs_the_mailbox() {
    let world = Social::new().await;
    for (email, hosted, joins) in [
        ("mary@gmail.com", None, true),
        ("mary@school.example", Some("school.example"), true),
        ("mary@other.example", None, false),
        ("mary@gmail.com.example", None, false),
    ] {
        let player = confirmed(&world, email).await;
        world.account(Google, email, json!({ "hostedDomain": hosted })).await;
        match world.sign_in(Google, email).await {
            Ok(session) => assert!(joins && session.uid == player.uid, "{email}"),
            Err(fault) => assert!(!joins && fault.reason == "EMAIL_CODE_NEEDED", "{email}"),
        }
        if !joins {
            assert_eq!(world.join(Google, email).await.unwrap().uid, player.uid, "{email}");
        }
    }
}

/// A stranger signed up with Mary's address, and keeps a password and a session.
#[tokio::test]
async fn the_code_takes_an_account_over_that_a_stranger_made_with_the_address() {
    let world = Social::new().await;
    let early = world.auth.sign_up(MARY, PASSWORD).await.unwrap();
    world.mail(MARY).await;
    world.account(Facebook, MARY, json!({})).await;
    let owner = world.join(Facebook, MARY).await.unwrap();
    assert_eq!(owner.uid, early.uid);
    until_signed_out(&world.auth, &early).await;
    assert_eq!(reason(world.auth.sign_in(MARY, PASSWORD).await), "BAD_CREDENTIALS");
    world.auth.profile(&owner.access_token).await.unwrap();
}

/// The former owner of a mailbox may still have its address at Facebook.
#[tokio::test]
async fn proof_of_an_address_ends_what_signed_in_by_it_without() {
    let world = Social::new().await;
    for provider in [Facebook, Google] {
        world.account(provider, MARY, json!({})).await;
    }
    let before = world.sign_in(Facebook, MARY).await.unwrap();
    let owner = world.sign_in(Google, MARY).await.unwrap();
    assert_eq!(owner.uid, before.uid);
    until_signed_out(&world.auth, &before).await;
    assert_eq!(reason(world.sign_in(Facebook, MARY).await), "EMAIL_CODE_NEEDED");
    assert_eq!(world.join(Facebook, MARY).await.unwrap().uid, owner.uid);
    world.auth.refresh(&owner.refresh_token).await.unwrap();
    assert_eq!(world.sign_in(Facebook, MARY).await.unwrap().uid, owner.uid);
}

#[tokio::test]
async fn a_password_reset_ends_a_sign_in_without_proof() {
    let world = Social::new().await;
    world.account(Facebook, MARY, json!({})).await;
    let player = world.sign_in(Facebook, MARY).await.unwrap();
    world.auth.request_reset(MARY).await.unwrap();
    let mail = world.mail(MARY).await;
    let (_, link) = mail.split_once("/reset-password?token=").unwrap();
    let link = link.split_whitespace().next().unwrap();
    world.auth.confirm_reset(link, PASSWORD).await.unwrap();
    assert_eq!(reason(world.sign_in(Facebook, MARY).await), "EMAIL_CODE_NEEDED");
    assert_eq!(world.join(Facebook, MARY).await.unwrap().uid, player.uid);
    world.auth.sign_in(MARY, PASSWORD).await.unwrap();
}

#[tokio::test]
async fn a_code_takes_five_guesses_in_however_many_sign_ins() {
    let (world, _) = mary_plays().await;
    world.account(Facebook, MARY, json!({})).await;
    let first = exchange_code(&world, MARY).await;
    let code = world.mail_join_code(&first, MARY).await.unwrap();
    for _ in 0..3 {
        assert_eq!(reason(world.confirm_join(&first, wrong(&code)).await), "BAD_CODE");
    }
    let second = exchange_code(&world, MARY).await;
    assert_eq!(reason(world.confirm_join(&first, &code).await), "OAUTH_EXPIRED", "replaced");
    for _ in 0..2 {
        assert_eq!(reason(world.confirm_join(&second, wrong(&code)).await), "BAD_CODE");
    }
    assert_eq!(reason(world.confirm_join(&second, &code).await), "CODE_EXPIRED");
    assert_eq!(reason(world.start_join(&second).await), "RATE_LIMITED");
    world.auth.clock.advance(MINUTE);
    let mailed = world.start_join(&second).await.unwrap();
    assert_eq!(mailed.email_hint, "m•••@gmail.com");
    assert_eq!(reason(world.confirm_join(&second, &code).await), "BAD_CODE", "replaced");
}

#[tokio::test]
async fn a_code_is_valid_for_fifteen_minutes_and_the_sign_in_for_thirty() {
    let (world, player) = mary_plays().await;
    world.account(Facebook, MARY, json!({})).await;
    let exchange = exchange_code(&world, MARY).await;
    let code = world.mail_join_code(&exchange, MARY).await.unwrap();
    world.auth.clock.advance(15 * MINUTE);
    assert_eq!(reason(world.confirm_join(&exchange, &code).await), "CODE_EXPIRED");
    let code = world.mail_join_code(&exchange, MARY).await.unwrap();
    world.auth.clock.advance(15 * MINUTE);
    for outcome in [world.exchange(&exchange).await, world.confirm_join(&exchange, &code).await] {
        assert_eq!(reason(outcome), "OAUTH_EXPIRED");
    }
    assert_eq!(reason(world.start_join(&exchange).await), "OAUTH_EXPIRED");
    assert_eq!(world.join(Facebook, MARY).await.unwrap().uid, player.uid);
}

/// The account at Facebook changes its address to a stranger's, after a code for its own.
#[tokio::test]
async fn a_code_joins_no_account_of_another_address() {
    let (world, _) = mary_plays().await;
    confirmed(&world, "john@example.test").await;
    world.account(Facebook, "john@example.test", json!({ "sub": "10000000000000001" })).await;
    let exchange = exchange_code(&world, "10000000000000001").await;
    let code = world.mail_join_code(&exchange, "john@example.test").await.unwrap();
    world.account(Facebook, "10000000000000001", json!({ "email": MARY })).await;
    let exchange = exchange_code(&world, "10000000000000001").await;
    assert_eq!(reason(world.confirm_join(&exchange, &code).await), "CODE_EXPIRED");
}

#[tokio::test]
async fn a_retried_confirmation_gets_the_same_session_for_30_seconds() {
    let (world, _) = mary_plays().await;
    world.account(Facebook, MARY, json!({})).await;
    let exchange = exchange_code(&world, MARY).await;
    let code = world.mail_join_code(&exchange, MARY).await.unwrap();
    let (a, b) =
        tokio::join!(world.confirm_join(&exchange, &code), world.confirm_join(&exchange, &code));
    assert_eq!(a.unwrap().refresh_token, b.unwrap().refresh_token);
    world.confirm_join(&exchange, &code).await.unwrap();
    world.auth.clock.advance(Duration::from_secs(30));
    assert_eq!(reason(world.confirm_join(&exchange, &code).await), "OAUTH_EXPIRED");
}
