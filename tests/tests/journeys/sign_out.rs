//! Signing out: the gateway, every service and open streams refuse the session.

use journeys::{LiveStream, Mesh, ServiceClients, StreamItem};
use serde_json::{Value, json};
use tonic::Code;

#[tokio::test]
async fn after_a_sign_out_every_service_refuses_the_session() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    let elsewhere = player.on_another_device().await;
    player.set_handset(json!({"stk": "manual"})).await;
    let payment = player.top_up(100).await;
    let mut stream = player.watch(&[&payment]).await;
    let services = ServiceClients::connect(&mesh);
    services.assert_accepted(&player).await;

    let out = player.post("/auth/sign-out", &json!({"refreshToken": player.refresh_token})).await;
    assert_eq!(out.ok(), Value::Null);
    services.until_refused(&player).await;
    player.until_signed_out().await;
    assert_eq!(end_of(&mut stream).await, StreamItem::End(Code::Unauthenticated));

    services.assert_accepted(&elsewhere).await;
    assert_eq!(
        elsewhere.profile().await["uid"],
        player.uid.as_str(),
        "the other session stays valid"
    );
}

#[tokio::test]
async fn signing_out_everywhere_revokes_all_sessions() {
    let mesh = Mesh::from_env();
    let (mut player, stranger) = (mesh.new_player().await, mesh.new_player().await);
    let devices = [player.on_another_device().await, player.on_another_device().await];
    player.set_handset(json!({"stk": "manual"})).await;
    let payment = player.top_up(100).await;
    let mut stream = devices[0].watch(&[&payment]).await;
    let services = ServiceClients::connect(&mesh);

    let out = player.post("/auth/sign-out-everywhere", &json!({})).await;
    assert_eq!(out.message, "You have been signed out everywhere.");
    assert_eq!(out.ok(), Value::Null);
    for device in devices.iter().chain([&player]) {
        services.until_refused(device).await;
        device.until_signed_out().await;
    }
    assert_eq!(end_of(&mut stream).await, StreamItem::End(Code::Unauthenticated));
    for device in devices.iter().chain([&player]) {
        assert_eq!(device.refresh().await.refusal(), (401, "SESSION_REVOKED"));
        let again = device.post("/auth/sign-out-everywhere", &json!({})).await;
        assert_eq!(again.refusal(), (401, "UNAUTHENTICATED"));
    }
    services.assert_accepted(&stranger).await;
    player.sign_in().await;
    services.assert_accepted(&player).await;
}

/// Skips the messages of a stream, and returns its end.
async fn end_of(stream: &mut LiveStream) -> StreamItem {
    loop {
        match stream.next().await {
            StreamItem::Event(_) => {}
            end => return end,
        }
    }
}
