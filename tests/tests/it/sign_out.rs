//! A session's end, as everybody hears of it.

use journeys::{Doors, Live, Mesh, News};
use serde_json::{Value, json};
use tonic::Code;

#[tokio::test]
async fn a_sign_out_is_known_everywhere() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    let elsewhere = player.on_another_device().await;
    player.habit(json!({"stk": "manual"})).await;
    let payment = player.top_up(100).await;
    let mut stream = player.watch(&[&payment]).await;
    let doors = Doors::open(&mesh).await;
    doors.admit(&player).await;

    let out = player.post("/auth/sign-out", &json!({"refreshToken": player.refresh_token})).await;
    assert_eq!(out.ok(), Value::Null);
    doors.turn_away(&player).await;
    player.until_signed_out().await;
    assert_eq!(end_of(&mut stream).await, News::End(Code::Unauthenticated));

    doors.admit(&elsewhere).await;
    assert_eq!(elsewhere.profile().await["uid"], player.uid.as_str(), "another session goes on");
}

#[tokio::test]
async fn signing_out_everywhere_ends_every_session() {
    let mesh = Mesh::from_env();
    let (mut player, stranger) = (mesh.newcomer().await, mesh.newcomer().await);
    let devices = [player.on_another_device().await, player.on_another_device().await];
    player.habit(json!({"stk": "manual"})).await;
    let payment = player.top_up(100).await;
    let mut stream = devices[0].watch(&[&payment]).await;
    let doors = Doors::open(&mesh).await;

    let out = player.post("/auth/sign-out-everywhere", &json!({})).await;
    assert_eq!(out.message, "You have been signed out everywhere.");
    assert_eq!(out.ok(), Value::Null);
    for device in devices.iter().chain([&player]) {
        doors.turn_away(device).await;
        device.until_signed_out().await;
    }
    assert_eq!(end_of(&mut stream).await, News::End(Code::Unauthenticated));
    for device in devices.iter().chain([&player]) {
        assert_eq!(device.refresh().await.refusal(), (401, "SESSION_REVOKED"));
        let again = device.post("/auth/sign-out-everywhere", &json!({})).await;
        assert_eq!(again.refusal(), (401, "UNAUTHENTICATED"));
    }
    doors.admit(&stranger).await;
    player.sign_in().await;
    doors.admit(&player).await;
}

/// What ends a stream, past what it had to tell.
async fn end_of(stream: &mut Live) -> News {
    loop {
        match stream.next().await {
            News::Event(_) => {}
            end => return end,
        }
    }
}
