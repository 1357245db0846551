//! A provider that joins an account is told to its owner.

use serde_json::json;

use crate::{
    harness::PASSWORD,
    social::{Facebook, Google, Social},
    world::Mail,
};

const MARY: &str = "mary@example.test";
const JOINED: &str = "A new way to sign in to PlayOn";

/// The word of a new way in, once it has come.
async fn word(world: &Social) -> Mail {
    testkit::eventually(JOINED, || async {
        world.mailbox(MARY).await.into_iter().find(|mail| mail.subject == JOINED)
    })
    .await
}

#[tokio::test]
async fn an_account_that_changes_hands_is_told_to_its_address() {
    let world = Social::new().await;
    world.auth.sign_up(MARY, PASSWORD).await.unwrap();
    world.mail(MARY).await;
    world.account(Google, MARY, json!({})).await;
    world.sign_in(Google, MARY).await.unwrap();
    let mail = word(&world).await;
    for form in [&mail.text, &mail.html] {
        assert!(form.contains("the PlayOn account of mary@example.test with Google"), "{form}");
        assert!(form.contains("no longer works"), "{form}");
        assert!(form.contains("http://127.0.0.1:8080/login"), "{form}");
    }
}

#[tokio::test]
async fn a_second_provider_is_told_and_the_first_sign_in_by_it_alone() {
    let world = Social::new().await;
    for provider in [Google, Facebook] {
        world.account(provider, MARY, json!({})).await;
    }
    world.sign_in(Google, MARY).await.unwrap();
    assert!(world.mailbox(MARY).await.is_empty(), "a newcomer knows");
    world.sign_in(Facebook, MARY).await.unwrap();
    let mail = word(&world).await;
    assert!(
        mail.text.contains("the PlayOn account of mary@example.test with Facebook"),
        "{}",
        mail.text
    );
    assert!(!mail.text.contains("no longer works"), "nothing was taken away");
    for provider in [Google, Facebook] {
        world.sign_in(provider, MARY).await.unwrap();
    }
    let told = world.mailbox(MARY).await.into_iter().filter(|mail| mail.subject == JOINED);
    assert_eq!(told.count(), 1);
}
