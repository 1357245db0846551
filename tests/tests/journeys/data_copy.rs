//! A player's copy of what all services store about the player.

use journeys::{Mesh, eventually};
use serde_json::{Value, json};
use types::Money;

/// The sections of a copy that have records, as `service/section`.
fn sections(copy: &Value) -> Vec<String> {
    let sections = copy["sections"].as_array().unwrap().iter();
    sections.map(|one| format!("{}/{}", one["service"], one["name"]).replace('"', "")).collect()
}

#[tokio::test]
async fn a_player_downloads_what_all_services_store() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    player.edit(&json!({"name": "Wanjiru"})).await.ok();
    player.set_handset(json!({"stk": "approve"})).await;
    let payment = player.top_up(100).await;
    player.until_final(&payment).await;
    player.reconcile(Money::from_shillings(100)).await;

    let state = player.get("/profile/data-copy").await.ok();
    assert_eq!(state, json!({"state": "NONE", "expiresAt": null}));
    let early = player.get("/profile/data-copy/file?format=json").await;
    assert_eq!(early.refusal(), (404, "DATA_COPY_NOT_FOUND"));
    assert_eq!(player.post("/profile/data-copy", &json!({})).await.ok()["state"], "COLLECTING");
    eventually("the copy is ready", || async {
        (player.get("/profile/data-copy").await.ok()["state"] == "READY").then_some(())
    })
    .await;

    let copy = player.data_copy().await;
    assert_eq!(copy["playerId"], player.uid.as_str());
    let sections = sections(&copy);
    for section in [
        "svc-auth/account",
        "svc-auth/sign_in_by_email",
        "svc-wallet/payments",
        "svc-wallet/movements",
        "svc-chat/notifications",
    ] {
        assert!(sections.iter().any(|one| one == section), "{section}: {sections:?}");
    }
    let page = player.call(reqwest::Method::GET, "/profile/data-copy/file?format=html");
    let page = page.send().await.unwrap();
    assert_eq!(page.headers()["content-disposition"], "attachment; filename=\"playon-data.html\"");
    assert!(page.text().await.unwrap().contains("<td>Wanjiru</td>"));
    let bad = player.get("/profile/data-copy/file?format=exe").await;
    assert_eq!(bad.refusal(), (400, "INVALID_ARGUMENT"));

    eventually("the notification", || async {
        let list = player.get("/profile/notifications").await.ok();
        let kinds = list.as_array().unwrap().iter().map(|one| one["kind"].clone());
        kinds.into_iter().any(|kind| kind == "DATA_COPY_READY").then_some(())
    })
    .await;

    // A stolen session on another device gets nothing.
    let elsewhere = player.on_another_device().await;
    let refused = elsewhere.post("/profile/data-copy", &json!({})).await;
    assert_eq!(refused.refusal(), (403, "DEVICE_NOT_CONFIRMED"));
    let refused = elsewhere.get("/profile/data-copy/file?format=json").await;
    assert_eq!(refused.refusal(), (403, "DEVICE_NOT_CONFIRMED"));
}
