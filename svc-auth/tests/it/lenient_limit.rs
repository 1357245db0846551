//! The lenient limit after a password reset.

use std::time::Duration;

use crate::{harness::PASSWORD, world::World};

const NEW: &str = "habari-gani";

async fn fail(world: &World, email: &str, times: usize) {
    for _ in 0..times {
        let fault = world.auth.sign_in(email, "a-guess").await.unwrap_err();
        assert_eq!(fault.reason, "BAD_CREDENTIALS");
    }
}

async fn assert_closed(world: &World, email: &str) {
    let fault = world.auth.sign_in(email, NEW).await.unwrap_err();
    assert_eq!(fault.reason, "RATE_LIMITED");
}

/// A player whose account was rate-limited, and who has set a new password.
async fn reset() -> (World, String) {
    let world = World::new().await;
    let (email, _) = world.player("wanjiru").await;
    fail(&world, &email, 10).await;
    assert_closed(&world, &email).await;
    let token = world.reset_link(&email).await;
    world.auth.confirm_reset(&token, NEW).await.unwrap();
    (world, email)
}

#[tokio::test]
async fn ten_failures_after_a_reset_do_not_lock_the_account() {
    let (world, email) = reset().await;
    fail(&world, &email, 99).await;
    world.auth.sign_in(&email, NEW).await.unwrap();
    fail(&world, &email, 10).await;
    assert_closed(&world, &email).await;
}

#[tokio::test]
async fn a_hundred_failures_after_a_reset_lock_the_account() {
    let (world, email) = reset().await;
    fail(&world, &email, 100).await;
    assert_closed(&world, &email).await;
}

#[tokio::test]
async fn after_five_minutes_the_usual_limit_holds() {
    let (world, email) = reset().await;
    fail(&world, &email, 9).await;
    world.auth.clock.advance(Duration::from_mins(5));
    fail(&world, &email, 1).await;
    assert_closed(&world, &email).await;
}

#[tokio::test]
async fn other_accounts_keep_the_usual_limit() {
    let (world, _) = reset().await;
    let (other, _) = world.player("kamau").await;
    fail(&world, &other, 10).await;
    let fault = world.auth.sign_in(&other, PASSWORD).await.unwrap_err();
    assert_eq!(fault.reason, "RATE_LIMITED");
}
