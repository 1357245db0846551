//! Verification of access tokens.

use std::time::Duration;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use proto::auth::v1::GetKeySetRequest;
use testkit::Tokens;
use tonic::Code;
use types::PlayerId;

use crate::harness::Service;

async fn refused(auth: &Service, token: &str) -> bool {
    auth.profile(token).await.is_err_and(|fault| {
        (fault.code, fault.reason.as_ref()) == (Code::Unauthenticated, "UNAUTHENTICATED")
    })
}

/// The parts of a JWT.
fn parts(token: &str) -> [&str; 3] {
    let parts: Vec<_> = token.split('.').collect();
    parts.try_into().unwrap()
}

#[tokio::test]
async fn a_token_is_valid_until_it_expires() {
    let auth = Service::start().await;
    let session = auth.player("wanjiru").await;
    auth.clock.advance(Duration::from_secs(15 * 60 - 1));
    assert!(auth.profile(&session.access_token).await.is_ok());
    auth.clock.advance(Duration::from_secs(1));
    assert!(refused(&auth, &session.access_token).await);
}

#[tokio::test]
async fn a_missing_forged_or_altered_token_is_refused() {
    let auth = Service::start().await;
    let session = auth.player("wanjiru").await;
    let [head, claims, signature] = parts(&session.access_token);
    let none = URL_SAFE_NO_PAD.encode(r#"{"alg":"none","typ":"JWT"}"#);
    let stranger = Tokens::new(&auth.clock).token(PlayerId::parse(&session.uid).unwrap());
    let [_, foreign_claims, foreign_signature] = parts(&stranger);
    for (what, token) in [
        ("none", String::new()),
        ("no token at all", "x".to_owned()),
        ("alg none", format!("{none}.{claims}.")),
        ("alg none with a signature", format!("{none}.{claims}.{signature}")),
        ("no signature", format!("{head}.{claims}.")),
        ("another key", stranger.clone()),
        ("another key under our name", format!("{head}.{foreign_claims}.{foreign_signature}")),
        ("other claims", format!("{head}.{foreign_claims}.{signature}")),
        ("a refresh token", session.refresh_token.clone()),
        ("far too long", "A".repeat(5_000)),
    ] {
        assert!(refused(&auth, &token).await, "{what}");
    }
    assert!(auth.profile(&session.access_token).await.is_ok());
}

#[tokio::test]
async fn a_key_rotation_signs_no_player_out() {
    const OLD: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
    const NEW: &str = "HwABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4";
    let before = Service::start().await;
    let session = before.player("wanjiru").await;
    let rotated = format!("--signing-keys={NEW},{OLD}");
    let after =
        Service::start_on(before.database.clone(), &[&rotated], testkit::base("svc-auth")).await;
    assert!(after.profile(&session.access_token).await.is_ok());
    let refreshed = after.refresh(&session.refresh_token).await.unwrap();
    assert!(after.profile(&refreshed.access_token).await.is_ok());
    assert!(refused(&before, &refreshed.access_token).await, "it is signed by the new key");
    // The last step: remove the old key when its last token has expired.
    let only = format!("--signing-keys={NEW}");
    let last =
        Service::start_on(before.database.clone(), &[&only], testkit::base("svc-auth")).await;
    assert!(refused(&last, &session.access_token).await, "the old key is gone");
    assert!(last.profile(&refreshed.access_token).await.is_ok());
    last.refresh(&refreshed.refresh_token).await.unwrap();
}

#[tokio::test]
async fn the_key_set_contains_public_keys_alone() {
    let auth = Service::start().await;
    let reply = auth.keys.clone().get_key_set(GetKeySetRequest {}).await.unwrap();
    let set: serde_json::Value = serde_json::from_str(&reply.into_inner().jwks_json).unwrap();
    let key = &set["keys"][0];
    assert_eq!(
        (&key["kty"], &key["crv"], &key["alg"]),
        (&"OKP".into(), &"Ed25519".into(), &"EdDSA".into())
    );
    assert_eq!((key["x"].as_str().unwrap().len(), key["kid"].as_str().unwrap().len()), (43, 43));
    assert!(key.get("d").is_none());
}
