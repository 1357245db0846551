//! Exchange codes of accounts whose credentials were reset or taken over.

use serde_json::json;

use crate::{
    harness::PASSWORD,
    social::{Facebook, Google, Social},
};

#[tokio::test]
async fn a_reset_voids_an_unused_exchange_code() {
    let world = Social::new().await;
    world.account(Google, "mary@gmail.com", json!({})).await;
    world.sign_in(Google, "mary@gmail.com").await.unwrap();
    world.auth.request_reset("mary@gmail.com").await.unwrap();
    let mail = world.mail("mary@gmail.com").await;
    let (_, link) = mail.split_once("/reset-password?token=").unwrap();
    let back = world.come_back(Google, "mary@gmail.com").await;
    let code = world.finish(back).await.unwrap();
    let token = link.split_whitespace().next().unwrap();
    world.auth.confirm_reset(token, PASSWORD).await.unwrap();
    assert_eq!(world.exchange(&code).await.unwrap_err().reason, "OAUTH_EXPIRED");
    world.sign_in(Google, "mary@gmail.com").await.unwrap();
}

#[tokio::test]
async fn a_takeover_keeps_the_new_owners_code() {
    let world = Social::new().await;
    for (provider, account) in [(Google, "mary@gmail.com"), (Facebook, "john@example.test")] {
        world.account(provider, account, json!({})).await;
    }
    // An attacker has registered Mary's address, and she takes the account over.
    world.auth.sign_up("mary@gmail.com", PASSWORD).await.unwrap();
    let johns = world.come_back(Facebook, "john@example.test").await;
    let johns = world.finish(johns).await.unwrap();
    world.sign_in(Google, "mary@gmail.com").await.unwrap();
    world.exchange(&johns).await.unwrap();
}
