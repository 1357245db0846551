//! The end of an account, and the way back.

use journeys::{Mesh, Player};
use serde_json::{Value, json};
use types::Money;

fn path(player: &Player) -> String {
    format!("/profile/{}", player.uid)
}

/// Somebody whom others can find.
async fn known(mesh: &Mesh) -> (Player, String) {
    let player = mesh.newcomer().await;
    let username = format!("d_{}", &mesh.new_name().replace('-', "")[16..]);
    player.edit(&json!({"name": "Wanjiru", "username": username})).await.ok();
    (player, username)
}

#[tokio::test]
async fn an_account_ends_at_once_and_comes_back_with_its_money() {
    let mesh = Mesh::from_env();
    let ((mut player, username), reader) = (known(&mesh).await, mesh.newcomer().await);
    let elsewhere = player.on_another_device().await;
    player.habit(json!({"stk": "approve"})).await;
    let payment = player.top_up(100).await;
    player.until_final(&payment).await;
    let profile = player.profile().await;

    let deleted = player.delete(&path(&player), &json!({"confirm": "DELETE"})).await;
    assert_eq!(deleted.ok(), Value::Null);
    nobody_sees(&reader, &player, &username).await;
    for device in [&player, &elsewhere] {
        device.until_signed_out().await;
        assert_eq!(device.refresh().await.refusal(), (401, "SESSION_REVOKED"));
    }

    // Signing in is a change of mind.
    player.sign_in().await;
    assert_eq!(player.profile().await, profile);
    let public = reader.get(&format!("/users/public/{}", player.uid)).await.ok();
    assert_eq!(public["username"], username.as_str());
    player.reconcile(Money::from_shillings(100)).await;
}

/// No public reply has the player any more.
async fn nobody_sees(reader: &Player, gone: &Player, username: &str) {
    for path in [
        format!("/users/public/{}", gone.uid),
        format!("/users/get/{}", gone.uid),
        format!("/users/username/{username}"),
    ] {
        assert_eq!(reader.get(&path).await.refusal(), (404, "USER_NOT_FOUND"), "{path}");
    }
    let many = reader.get(&format!("/users/public?ids={},{}", gone.uid, reader.uid)).await.ok();
    let ids: Vec<&Value> = many.as_array().unwrap().iter().map(|player| &player["id"]).collect();
    assert_eq!(ids, [reader.uid.as_str()]);
}

#[tokio::test]
async fn only_the_word_ends_an_account() {
    let mesh = Mesh::from_env();
    let (player, username) = known(&mesh).await;
    for body in [
        json!({}),
        json!({"confirm": ""}),
        json!({"confirm": "delete"}),
        json!({"confirm": "DELETED"}),
        json!({"confirm": true}),
        json!({"confirm": null}),
    ] {
        let reply = player.delete(&path(&player), &body).await;
        assert_eq!(reply.refusal(), (400, "INVALID_ARGUMENT"), "{body}");
    }
    let found = player.get(&format!("/users/username/{username}")).await.ok();
    assert_eq!(found["id"], player.uid.as_str());
}

#[tokio::test]
async fn a_username_is_kept_for_whoever_may_come_back() {
    let mesh = Mesh::from_env();
    let ((mut player, username), other) = (known(&mesh).await, mesh.newcomer().await);
    player.delete(&path(&player), &json!({"confirm": "DELETE"})).await.ok();
    let taken = other.edit(&json!({"username": username})).await;
    assert_eq!(taken.refusal(), (409, "USERNAME_TAKEN"));
    assert_eq!(
        mesh.sign_up(&player.email, "another-password").await.refusal(),
        (409, "EMAIL_TAKEN")
    );
    player.sign_in().await;
    assert_eq!(player.profile().await["username"], username.as_str());
}
