//! Notices about a provider's account that was joined with a player's.

use serde_json::json;

use crate::{
    harness::PASSWORD,
    social::{Facebook, Google, Social},
    world::Mail,
};

const MARY: &str = "mary@gmail.com";
const JOINED: &str = "A new way to sign in to PlayOn";

/// The notice, once it has arrived.
async fn notice(world: &Social) -> Mail {
    testkit::eventually(JOINED, || async {
        world.mailbox(MARY).await.into_iter().find(|mail| mail.subject == JOINED)
    })
    .await
}

#[tokio::test]
async fn a_takeover_sends_a_notice() {
    let world = Social::new().await;
    world.auth.sign_up(MARY, PASSWORD).await.unwrap();
    world.mail(MARY).await;
    world.account(Google, MARY, json!({})).await;
    world.sign_in(Google, MARY).await.unwrap();
    let mail = notice(&world).await;
    for form in [&mail.text, &mail.html] {
        assert!(form.contains("the PlayOn account of mary@gmail.com with Google"), "{form}");
        assert!(form.contains("no longer works"), "{form}");
        assert!(form.contains("http://127.0.0.1:8080/login"), "{form}");
    }
}

#[tokio::test]
async fn a_notice_is_sent_for_a_second_provider_once() {
    let world = Social::new().await;
    for provider in [Google, Facebook] {
        world.account(provider, MARY, json!({})).await;
    }
    world.sign_in(Google, MARY).await.unwrap();
    assert!(world.mailbox(MARY).await.is_empty(), "a new player gets no notice");
    world.join(Facebook, MARY).await.unwrap();
    let mail = notice(&world).await;
    assert!(
        mail.text.contains("the PlayOn account of mary@gmail.com with Facebook"),
        "{}",
        mail.text
    );
    assert!(!mail.text.contains("no longer works"), "nothing was removed");
    for provider in [Google, Facebook] {
        world.sign_in(provider, MARY).await.unwrap();
    }
    let notices = world.mailbox(MARY).await.into_iter().filter(|mail| mail.subject == JOINED);
    assert_eq!(notices.count(), 1);
}
