//! Kills services while a copy of a player's data is collected.

use std::{collections::BTreeSet, net::TcpListener, time::Duration};

use journeys::{Mesh, Process, eventually, within};
use serde_json::{Value, json};

/// The time limit of a copy: another replica takes over a delivery whose replica died after 45 s.
const TAKEN_OVER: Duration = Duration::from_secs(90);

#[tokio::test]
async fn a_copy_is_complete_and_nothing_in_it_is_twice_though_services_were_killed() {
    let mesh = Mesh::alone();
    let player = mesh.new_player().await;
    player.set_handset(json!({"stk": "approve"})).await;
    let payment = player.top_up(100).await;
    player.until_final(&payment).await;

    // A second replica of svc-auth collects beside the first.
    let port = || TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
    let (listen, metrics) = (port(), port());
    let addresses = [
        ("LISTEN", format!("127.0.0.1:{listen}")),
        ("METRICS_LISTEN", format!("127.0.0.1:{metrics}")),
    ];
    let auth = Process::find(&mesh, "svc-auth");
    let _second = auth.another(listen, &addresses).await;
    let chat = Process::find(&mesh, "svc-chat").kill().await;
    assert_eq!(player.post("/profile/data-copy", &json!({})).await.ok()["state"], "COLLECTING");
    let auth = auth.kill().await;
    chat.restart().await;
    auth.restart().await;

    within(TAKEN_OVER, "the copy is ready", || async {
        let reply = player.get("/profile/data-copy").await;
        (reply.status == 200 && reply.ok()["state"] == "READY").then_some(())
    })
    .await;
    let copy = player.data_copy().await;
    let sections = copy["sections"].as_array().unwrap();
    let services: BTreeSet<&str> =
        sections.iter().map(|section| section["service"].as_str().unwrap()).collect();
    assert!(services.is_superset(&["svc-auth", "svc-wallet", "svc-chat"].into()), "{services:?}");
    let names: Vec<&Value> = sections.iter().map(|section| &section["name"]).collect();
    let payments: Vec<&Value> = sections
        .iter()
        .filter(|section| section["name"] == "payments")
        .flat_map(|section| section["records"].as_array().unwrap())
        .collect();
    assert_eq!(payments.len(), 1, "{names:?}");
    assert_eq!(payments[0]["id"], payment.as_str());

    let notified = || async {
        let list = player.get("/profile/notifications").await.ok();
        let list = list.as_array().unwrap().iter();
        list.filter(|one| one["kind"] == "DATA_COPY_READY").count()
    };
    eventually("the notification", || async { (notified().await > 0).then_some(()) }).await;
    assert_eq!(notified().await, 1);
}
