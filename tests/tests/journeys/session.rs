//! Signing in again, captchas, and refresh tokens.

use std::time::Duration;

use futures_util::future::join_all;
use journeys::{Mesh, Reply};
use reqwest::Method;
use serde_json::{Value, json};
use types::Money;

/// Longer than the 30 s in which a lost reply is returned again.
const GRACE: Duration = Duration::from_secs(31);

#[tokio::test]
async fn the_balance_is_there_after_signing_in_again() {
    let mesh = Mesh::from_env();
    let mut player = mesh.new_player().await;
    player.set_handset(json!({"stk": "approve"})).await;
    let id = player.top_up(100).await;
    player.until_final(&id).await;

    let uid = player.uid.clone();
    player.sign_in().await;
    assert_eq!(player.uid, uid);
    assert_eq!(player.balance().await, Money::from_shillings(100));
    assert_eq!(player.payment(&id).await["status"], "COMPLETED");
    mesh.prove().await;
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_address_get_the_same_reply() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    let wrong = player.try_password("something else").await;
    let stranger =
        json!({"email": format!("{}@example.com", mesh.unique_id()), "password": "jambo-kenya"});
    let unknown = mesh.post("/auth/sign-in", &stranger).await;
    for reply in [wrong, unknown] {
        assert_eq!(reply.refusal(), (401, "BAD_CREDENTIALS"));
        assert_eq!(reply.message, "Wrong email or password.");
    }
}

#[tokio::test]
async fn a_taken_email_and_a_weak_password_are_refused() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    let again = mesh.sign_up(&player.email, "another-password").await;
    assert_eq!(again.refusal(), (409, "EMAIL_TAKEN"));
    let weak = mesh.sign_up(&format!("{}@example.com", mesh.unique_id()), "12345").await;
    assert_eq!(weak.refusal(), (400, "WEAK_PASSWORD"));
    assert_eq!(weak.message, "Password should be at least 6 characters.");
}

#[tokio::test]
async fn a_captcha_is_valid_once() {
    let mesh = Mesh::from_env();
    let captcha = mesh.solved_captcha().await;
    let sign_up = |captcha: &str| {
        let email = format!("{}@example.com", mesh.unique_id());
        json!({"email": email, "password": "jambo-kenya", "captcha": captcha})
    };
    assert_eq!(mesh.post("/auth/sign-up", &sign_up(&captcha)).await.status, 201);
    for captcha in [captcha.as_str(), "", "nonsense", "e30="] {
        let refused = mesh.post("/auth/sign-up", &sign_up(captcha)).await;
        assert_eq!(refused.refusal(), (400, "CAPTCHA_EXPIRED"), "{captcha:.20}");
        assert_eq!(refused.message, "CAPTCHA has expired. Please solve it again.");
    }
}

#[tokio::test]
async fn reusing_a_refresh_token_revokes_the_session() {
    let mesh = Mesh::from_env();
    let mut player = mesh.new_player().await;
    let stolen = player.clone();
    let session = player.refresh().await.ok();
    assert_eq!(session["uid"], player.uid.as_str());
    assert_eq!(session["isNewUser"], false);
    assert!(session["expirationTime"].is_u64());
    assert_ne!(session["refreshToken"], stolen.refresh_token.as_str());
    player.take_session(&session);
    assert_eq!(player.balance().await, Money::ZERO);

    // The same token returns the same successor while the successor is unused.
    assert_eq!(stolen.refresh().await.ok()["refreshToken"], session["refreshToken"]);
    // Once the successor is used, the token counts as stolen.
    player.take_session(&player.refresh().await.ok());
    assert_eq!(stolen.refresh().await.refusal(), (401, "SESSION_REVOKED"));
    assert_eq!(player.refresh().await.refusal(), (401, "SESSION_REVOKED"));
    assert_eq!(player.try_password("jambo-kenya").await.status, 200);
}

#[tokio::test]
async fn only_ones_own_session_can_be_signed_out() {
    let mesh = Mesh::from_env();
    let (player, stranger) = (mesh.new_player().await, mesh.new_player().await);
    let token = json!({"refreshToken": player.refresh_token});
    let guest = Reply::to(mesh.call(Method::POST, "/api/auth/sign-out").json(&token)).await;
    assert_eq!(guest.refusal(), (401, "UNAUTHENTICATED"));
    // The call ends the calling session, whichever token it names.
    stranger.post("/auth/sign-out", &token).await.ok();
    assert_eq!(stranger.refresh().await.refusal(), (401, "SESSION_REVOKED"));
    assert_ne!(player.refresh().await.ok(), Value::Null);
}

#[tokio::test]
async fn concurrent_refreshes_get_the_same_successor() {
    let mesh = Mesh::from_env();
    let mut player = mesh.new_player().await;
    let replies = join_all((0..8).map(|_| player.refresh())).await;
    let sessions: Vec<Value> = replies.into_iter().map(Reply::ok).collect();
    for session in &sessions {
        assert_eq!(session["refreshToken"], sessions[0]["refreshToken"]);
    }
    player.take_session(&sessions[0]);
    assert_eq!(player.get("/auth/login").await.status, 201);
    assert_ne!(player.refresh().await.ok()["refreshToken"], sessions[0]["refreshToken"]);
}

#[tokio::test]
async fn a_refresh_can_be_repeated_for_thirty_seconds() {
    let mesh = Mesh::from_env();
    let mut player = mesh.new_player().await;
    let stolen = player.clone();
    let session = player.refresh().await.ok();
    assert_eq!(stolen.refresh().await.ok()["refreshToken"], session["refreshToken"]);
    player.take_session(&session);

    // A later repetition counts as theft. The repetition above does not extend the
    // 30 s.
    tokio::time::sleep(GRACE).await;
    assert_eq!(stolen.refresh().await.refusal(), (401, "SESSION_REVOKED"));
    assert_eq!(player.refresh().await.refusal(), (401, "SESSION_REVOKED"));
    player.until_signed_out().await;
}

#[tokio::test]
async fn an_unknown_refresh_token_is_refused_and_revokes_nothing() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    let (first, rest) = player.refresh_token.split_at(1);
    let altered = format!("{}{rest}", if first == "A" { "B" } else { "A" });
    let long = "x".repeat(5_000);
    for token in ["", "nonsense", &altered, &player.access_token, &long] {
        let reply = mesh.post("/auth/refresh", &json!({"refreshToken": token})).await;
        assert_eq!(reply.refusal(), (401, "SESSION_REVOKED"), "{token:.20}");
    }
    player.refresh().await.ok();
}
