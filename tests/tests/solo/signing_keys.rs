//! Rotating the signing keys of access tokens signs no player out.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use journeys::{KilledProcess, Mesh, Player, Process, eventually};
use serde_json::Value;

const KEYS: &str = "SIGNING_KEYS";
/// An Ed25519 seed for this test: 32 bytes in base64url.
const NEW: &str = "bmV3LXNpZ25pbmcta2V5LW9mLXRoZS1qb3VybmV5cyE";

#[tokio::test]
async fn rotating_the_signing_key_signs_no_player_out() {
    let mesh = Mesh::alone();
    let mut player = mesh.new_player().await;
    let old = key_of(&player);
    let keys = Process::find(&mesh, "svc-auth").environment(KEYS).expect("signing keys");

    // The steps of svc-auth's README: append the new key, move it to the front, remove
    // the old one.
    with_keys(&mesh, &format!("{keys},{NEW}"), &player).await;
    player.take_session(&player.refresh().await.ok());
    assert_eq!(key_of(&player), old, "the first key of the list signs");
    let with_old_key = player.clone();

    with_keys(&mesh, &format!("{NEW},{keys}"), &player).await;
    player.take_session(&player.refresh().await.ok());
    assert_ne!(key_of(&player), old);
    for device in [&with_old_key, &player] {
        // A service that fetched the keys just before the new one was added fetches them
        // again after two seconds. Operators wait a minute between the two steps.
        for path in ["/auth/login", "/wallets/balance", "/chat-rooms/list"] {
            eventually(path, || async { (device.get(path).await.status < 300).then_some(()) })
                .await;
        }
    }
    player.sign_in().await;

    // Restores the old keys. A token of the removed key is refused, and can be
    // refreshed.
    let killed = Process::find(&mesh, "svc-auth").kill().await;
    killed.with_environment(KEYS, &keys).restart().await;
    eventually("a token of a removed key is refused", || async {
        (player.get("/auth/login").await.status == 401).then_some(())
    })
    .await;
    player.take_session(&player.refresh().await.ok());
    assert_eq!(key_of(&player), old);
    assert_eq!(player.get("/wallets/balance").await.status, 200);
}

/// Restarts svc-auth with other keys, and waits until the gateway reaches it.
async fn with_keys(mesh: &Mesh, keys: &str, player: &Player) {
    let killed: KilledProcess = Process::find(mesh, "svc-auth").kill().await;
    killed.with_environment(KEYS, keys).restart().await;
    eventually("the gateway reaches svc-auth again", || async {
        (player.get("/auth/login").await.status < 300).then_some(())
    })
    .await;
}

/// The id of the key that signed a player's token.
fn key_of(player: &Player) -> String {
    let header = player.access_token.split('.').next().unwrap();
    let header: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(header).unwrap()).unwrap();
    header["kid"].as_str().unwrap().to_owned()
}
