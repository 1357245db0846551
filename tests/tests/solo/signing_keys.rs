//! The keys that sign access tokens are changed, and nobody is signed out.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use journeys::{Killed, Mesh, Player, Process, eventually};
use serde_json::Value;

const KEYS: &str = "SIGNING_KEYS";
/// 32 bytes in base64url: an Ed25519 seed that is nobody else's.
const NEW: &str = "bmV3LXNpZ25pbmcta2V5LW9mLXRoZS1qb3VybmV5cyE";

#[tokio::test]
async fn a_new_signing_key_signs_nobody_out() {
    let mesh = Mesh::alone();
    let mut player = mesh.newcomer().await;
    let old = key_of(&player);
    let keys = Process::find(&mesh, "svc-auth").environment(KEYS).expect("signing keys");

    // As the README of svc-auth says: append, put in front, drop.
    with_keys(&mesh, &format!("{keys},{NEW}"), &player).await;
    player.take_session(&player.refresh().await.ok());
    assert_eq!(key_of(&player), old, "the first one signs");
    let by_old = player.clone();

    with_keys(&mesh, &format!("{NEW},{keys}"), &player).await;
    player.take_session(&player.refresh().await.ok());
    assert_ne!(key_of(&player), old);
    for device in [&by_old, &player] {
        // Whoever asked for the keys a moment before the new one was among them asks
        // again in two seconds; operators leave a minute between the two steps.
        for path in ["/auth/login", "/wallets/balance", "/chat-rooms/list"] {
            eventually(path, || async { (device.get(path).await.status < 300).then_some(()) })
                .await;
        }
    }
    player.sign_in().await;

    // As it was; whoever has a token of the dropped key asks for another one.
    let killed = Process::find(&mesh, "svc-auth").kill().await;
    killed.with_environment(KEYS, &keys).start_again().await;
    eventually("a token of a key that is no more is refused", || async {
        (player.get("/auth/login").await.status == 401).then_some(())
    })
    .await;
    player.take_session(&player.refresh().await.ok());
    assert_eq!(key_of(&player), old);
    assert_eq!(player.get("/wallets/balance").await.status, 200);
}

/// Starts svc-auth with other keys; done when everybody takes the player in.
async fn with_keys(mesh: &Mesh, keys: &str, player: &Player) {
    let killed: Killed = Process::find(mesh, "svc-auth").kill().await;
    killed.with_environment(KEYS, keys).start_again().await;
    eventually("svc-auth is found again", || async {
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
