//! Deleting an account, and cancelling the deletion by signing in.

use journeys::{Mesh, Player};
use serde_json::{Value, json};
use types::Money;

fn path(player: &Player) -> String {
    format!("/profile/{}", player.uid)
}

/// A player with a name and a username.
async fn player_with_username(mesh: &Mesh) -> (Player, String) {
    let player = mesh.new_player().await;
    let username = format!("d_{}", &mesh.unique_id().replace('-', "")[16..]);
    player.edit(&json!({"name": "Wanjiru", "username": username})).await.ok();
    (player, username)
}

#[tokio::test]
async fn a_deleted_account_is_hidden_at_once_and_signing_in_restores_it() {
    let mesh = Mesh::from_env();
    let ((mut player, username), reader) =
        (player_with_username(&mesh).await, mesh.new_player().await);
    let elsewhere = player.on_another_device().await;
    player.set_handset(json!({"stk": "approve"})).await;
    let payment = player.top_up(100).await;
    player.until_final(&payment).await;
    let profile = player.profile().await;

    let deleted = player.delete(&path(&player), &json!({"confirm": "DELETE"})).await;
    assert_eq!(deleted.ok(), Value::Null);
    assert_hidden(&reader, &player, &username).await;
    for device in [&player, &elsewhere] {
        device.until_signed_out().await;
        assert_eq!(device.refresh().await.refusal(), (401, "SESSION_REVOKED"));
    }

    // Signing in cancels the deletion.
    player.sign_in().await;
    assert_eq!(player.profile().await, profile);
    let public = reader.get(&format!("/users/public/{}", player.uid)).await.ok();
    assert_eq!(public["username"], username.as_str());
    player.reconcile(Money::from_shillings(100)).await;
}

/// Asserts that no public reply contains the deleted player.
async fn assert_hidden(reader: &Player, gone: &Player, username: &str) {
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
async fn deleting_an_account_requires_confirm_delete() {
    let mesh = Mesh::from_env();
    let (player, username) = player_with_username(&mesh).await;
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
async fn the_username_and_email_of_a_deleted_account_stay_reserved() {
    let mesh = Mesh::from_env();
    let ((mut player, username), other) =
        (player_with_username(&mesh).await, mesh.new_player().await);
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
