//! Public profiles.

use journeys::{Mesh, Player};
use serde_json::{Value, json};

/// A player with a name and a username, and the public profile, which hides the name.
async fn player_named(mesh: &Mesh, name: &str) -> (Player, Value) {
    let player = mesh.new_player().await;
    let username = format!("u_{}", &mesh.unique_id().replace('-', "")[16..]);
    player.edit(&json!({"name": name, "username": username, "phone": player.phone})).await.ok();
    let public = json!({
        "id": player.uid, "name": username, "username": username, "profilePic": null
    });
    (player, public)
}

#[tokio::test]
async fn a_batch_returns_public_fields_only_and_skips_unknown_ids() {
    let mesh = Mesh::from_env();
    let (ann, public_ann) = player_named(&mesh, "Ann").await;
    let (ben, public_ben) = player_named(&mesh, "Ben").await;
    let unknown = mesh.unique_id();
    let batch = format!("/users/public?ids={},{unknown},{},{}", ann.uid, ben.uid, ann.uid);
    let mut found = ann.get(&batch).await.ok().as_array().unwrap().clone();
    let mut expected = [public_ann.clone(), public_ben];
    for list in [&mut found[..], &mut expected[..]] {
        list.sort_by_key(|player| player["id"].to_string());
    }
    assert_eq!(found, expected);
    for path in ["/users/public", "/users/get"] {
        assert_eq!(ben.get(&format!("{path}/{}", ann.uid)).await.ok(), public_ann);
    }
}

#[tokio::test]
async fn without_a_username_the_name_is_shown() {
    let mesh = Mesh::from_env();
    let (player, reader) = (mesh.new_player().await, mesh.new_player().await);
    player.edit(&json!({"name": "Wanjirũ wa Kamau"})).await.ok();
    let public = reader.get(&format!("/users/public/{}", player.uid)).await.ok();
    assert_eq!(
        public,
        json!({"id": player.uid, "name": "Wanjirũ wa Kamau", "username": "Wanjirũ wa Kamau", "profilePic": null})
    );
    let many = reader.get(&format!("/users/public?ids={}", player.uid)).await.ok();
    assert_eq!(many, json!([public]));
}

#[tokio::test]
async fn a_batch_has_at_most_a_hundred_ids() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    let ids = |count: usize| {
        let ids: Vec<String> = (0..count).map(|_| mesh.unique_id()).collect();
        format!("/users/public?ids={}", ids.join(","))
    };
    assert_eq!(player.get(&ids(100)).await.ok(), json!([]));
    assert_eq!(player.get(&ids(101)).await.status, 400);
    for query in ["ids=me", "ids=' OR 1=1 --", "ids=1,2,3"] {
        let reply = player.get(&format!("/users/public?{query}")).await;
        // Malformed ids may be refused or skipped.
        assert!(reply.status == 400 || reply.payload == json!([]), "{query}: {reply:?}");
    }
}
