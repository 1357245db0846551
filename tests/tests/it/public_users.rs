//! What players may know of each other.

use journeys::{Mesh, Player};
use serde_json::{Value, json};

/// Somebody with a name and a username.
async fn known(mesh: &Mesh, name: &str) -> (Player, Value) {
    let player = mesh.newcomer().await;
    let username = format!("u_{}", &mesh.new_name().replace('-', "")[16..]);
    player.edit(&json!({"name": name, "username": username, "phone": player.phone})).await.ok();
    let public = json!({"id": player.uid, "name": name, "username": username, "profilePic": null});
    (player, public)
}

#[tokio::test]
async fn many_are_asked_for_at_once_and_nothing_private_is_told() {
    let mesh = Mesh::from_env();
    let (ann, public_ann) = known(&mesh, "Ann").await;
    let (ben, public_ben) = known(&mesh, "Ben").await;
    let nobody = mesh.new_name();
    let asked = format!("/users/public?ids={},{nobody},{},{}", ann.uid, ben.uid, ann.uid);
    let mut found = ann.get(&asked).await.ok().as_array().unwrap().clone();
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
async fn whoever_has_no_username_is_called_by_their_name() {
    let mesh = Mesh::from_env();
    let (player, reader) = (mesh.newcomer().await, mesh.newcomer().await);
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
async fn a_hundred_are_many_enough() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    let ids = |count: usize| {
        let ids: Vec<String> = (0..count).map(|_| mesh.new_name()).collect();
        format!("/users/public?ids={}", ids.join(","))
    };
    assert_eq!(player.get(&ids(100)).await.ok(), json!([]));
    assert_eq!(player.get(&ids(101)).await.status, 400);
    for query in ["ids=me", "ids=' OR 1=1 --", "ids=1,2,3"] {
        let reply = player.get(&format!("/users/public?{query}")).await;
        // What is no id is nobody's.
        assert!(reply.status == 400 || reply.payload == json!([]), "{query}: {reply:?}");
    }
}
