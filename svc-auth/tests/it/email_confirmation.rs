//! Confirmation links.

use std::time::Duration;

use mesh::Fault;
use time::OffsetDateTime;
use tonic::Code;

use crate::{
    harness::{PASSWORD, connect},
    world::{WELCOME, World},
};

const PAGE: &str = "https://playon.example/confirm-email?token=";

fn assert_over(outcome: Result<impl std::fmt::Debug, Fault>) {
    let fault = outcome.unwrap_err();
    assert_eq!((fault.code, fault.reason.as_ref()), (Code::FailedPrecondition, "LINK_EXPIRED"));
}

async fn verified_at(world: &World, email: &str) -> Option<OffsetDateTime> {
    sqlx::query_scalar("SELECT verified_at FROM email_identity WHERE email = $1")
        .bind(email)
        .fetch_one(&mut connect(&world.auth.database).await)
        .await
        .unwrap()
}

#[tokio::test]
async fn a_link_confirms_the_address_and_can_be_opened_again() {
    let world = World::new().await;
    let (email, session) = world.player("wanjiru").await;
    let token = world.mail(&email, WELCOME).await.token(PAGE);
    assert_eq!(verified_at(&world, &email).await, None);
    let then = world.auth.clock.now();
    world.auth.confirm_email(&token, PASSWORD).await.unwrap();
    world.auth.clock.advance(Duration::from_hours(1));
    world.auth.confirm_email(&token, PASSWORD).await.unwrap();
    assert_eq!(verified_at(&world, &email).await, Some(then));
    world.auth.refresh(&session.refresh_token).await.unwrap();
}

#[tokio::test]
async fn a_link_is_valid_for_a_day() {
    let world = World::new().await;
    let (email, _) = world.player("wanjiru").await;
    let token = world.mail(&email, WELCOME).await.token(PAGE);
    world.auth.clock.advance(Duration::from_hours(24));
    assert_over(world.auth.confirm_email(&token, PASSWORD).await);
    assert_eq!(verified_at(&world, &email).await, None);
}

#[tokio::test]
async fn a_link_confirms_its_own_address_alone() {
    let world = World::new().await;
    let (wanjiru, _) = world.player("wanjiru").await;
    let (kamau, _) = world.player("kamau").await;
    let token = world.mail(&kamau, WELCOME).await.token(PAGE);
    world.auth.confirm_email(&token, PASSWORD).await.unwrap();
    assert_eq!(verified_at(&world, &wanjiru).await, None);
}

#[tokio::test]
async fn after_a_reset_the_confirmation_link_still_succeeds() {
    let world = World::new().await;
    let (email, _) = world.player("wanjiru").await;
    let welcome = world.mail(&email, WELCOME).await.token(PAGE);
    let reset = world.reset_link(&email).await;
    world.auth.confirm_reset(&reset, "habari-gani").await.unwrap();
    world.auth.confirm_email(&welcome, "habari-gani").await.unwrap();
}

#[tokio::test]
async fn other_tokens_confirm_nothing() {
    let world = World::new().await;
    let (email, _) = world.player("wanjiru").await;
    let reset = world.reset_link(&email).await;
    for token in ["", "x", &"A".repeat(43), &reset] {
        assert_over(world.auth.confirm_email(token, PASSWORD).await);
    }
    assert_eq!(verified_at(&world, &email).await, None);
}

#[tokio::test]
async fn the_owner_of_an_address_confirms_no_account_that_a_stranger_made_with_it() {
    let world = World::new().await;
    let (email, stranger) = world.player("wanjiru").await;
    let (_, owner) = world.player("kamau").await;
    let token = world.mail(&email, WELCOME).await.token(PAGE);
    let wrong = world.auth.confirm_email(&token, "not-this-one").await.unwrap_err();
    assert_eq!(wrong.reason, "BAD_CREDENTIALS");
    for bearer in ["", owner.access_token.as_str()] {
        let fault = world.auth.confirm_email_as(&token, bearer).await.unwrap_err();
        assert_eq!(
            (fault.code, fault.reason.as_ref()),
            (Code::PermissionDenied, "PASSWORD_NEEDED")
        );
    }
    assert_eq!(verified_at(&world, &email).await, None);
    world.auth.confirm_email_as(&token, &stranger.access_token).await.unwrap();
    assert!(verified_at(&world, &email).await.is_some());
}

#[tokio::test]
async fn a_rejected_address_is_free_and_its_account_keeps_its_sessions() {
    let world = World::new().await;
    let (email, stranger) = world.player("wanjiru").await;
    let reset = world.reset_link(&email).await;
    let token = world.mail(&email, WELCOME).await.token(PAGE);
    for _ in 0..2 {
        world.auth.reject_email(&token).await.unwrap();
    }
    let fault = world.auth.sign_in(&email, PASSWORD).await.unwrap_err();
    assert_eq!(fault.reason, "BAD_CREDENTIALS");
    assert_over(world.auth.confirm_email_as(&token, &stranger.access_token).await);
    let fault = world.auth.confirm_reset(&reset, "habari-gani").await.unwrap_err();
    assert_eq!(fault.reason, "RESET_EXPIRED");
    let profile = world.auth.profile(&stranger.access_token).await.unwrap().profile.unwrap();
    assert_eq!(profile.email, None);

    let owner = world.auth.sign_up(&email, "habari-gani").await.unwrap();
    assert_ne!(owner.uid, stranger.uid);
    // The old link is void for the new account, too.
    assert_over(world.auth.reject_email(&token).await);
    world.auth.sign_in(&email, "habari-gani").await.unwrap();
}

#[tokio::test]
async fn a_confirmed_address_cannot_be_rejected() {
    let world = World::new().await;
    let (email, _) = world.player("wanjiru").await;
    let token = world.mail(&email, WELCOME).await.token(PAGE);
    world.auth.confirm_email(&token, PASSWORD).await.unwrap();
    assert_over(world.auth.reject_email(&token).await);
    for token in ["", "x", &"A".repeat(43)] {
        assert_over(world.auth.reject_email(token).await);
    }
    world.auth.clock.advance(Duration::from_hours(24));
    assert_over(world.auth.reject_email(&token).await);
    world.auth.sign_in(&email, PASSWORD).await.unwrap();
}

#[tokio::test]
async fn a_sign_up_that_fails_sends_no_mail() {
    let world = World::new().await;
    let (email, _) = world.player("wanjiru").await;
    let fault = world.auth.sign_up(&email, PASSWORD).await.unwrap_err();
    assert_eq!(fault.reason, "EMAIL_TAKEN");
    // A later mail of another player would arrive after it.
    world.player("kamau").await;
    assert_eq!(world.mailbox(&email).await.len(), 1);
}
