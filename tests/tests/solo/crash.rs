//! kill -9 of svc-wallet at the worst moments. Nobody repairs anything
//! afterwards: the payments end right by themselves.

use std::time::Duration;

use futures_util::future::join_all;
use journeys::{Killed, Mesh, News, Player, Process, Reply, eventually, within};
use proto::types::v1::PaymentStatus;
use serde_json::{Value, json};
use tokio::time::sleep;
use tonic::Code;
use types::Money;

/// The wallet asks 20 s after a push what became of it.
const FIRST_QUESTION: Duration = Duration::from_secs(40);
/// A push that died before it was sent is known to be dead after five minutes:
/// by then the wallet has asked for the fifth time.
const LAST_RESORT: Duration = Duration::from_secs(330);

#[tokio::test]
async fn killed_between_push_and_callback() {
    let mesh = Mesh::alone();
    let (payer, decliner) = (mesh.newcomer().await, mesh.newcomer().await);
    let wallet = Process::find(&mesh, "svc-wallet");
    for player in [&payer, &decliner] {
        player.habit(json!({"stk": "manual"})).await;
    }
    let (paid, refused) = (payer.top_up(100).await, decliner.top_up(100).await);
    let mut stream = payer.watch(&[&paid]).await;
    payer.until_status(&paid, "IN_PROGRESS").await;
    decliner.until_status(&refused, "IN_PROGRESS").await;

    let killed = wallet.kill().await;
    let away = payer.get("/wallets/balance").await;
    assert_eq!(away.refusal(), (503, "UNAVAILABLE"));
    mesh.sandbox().enter_pin(&payer.phone, "1234").await;
    mesh.sandbox().cancel_prompt(&decliner.phone).await;
    for player in [&payer, &decliner] {
        // The provider speaks once, and nobody is there to listen.
        let delivery = eventually("the callback is posted", || async {
            mesh.sandbox().pushes_to(&player.phone).await.remove(0).deliveries.pop()
        })
        .await;
        assert_eq!(delivery.status, Some(503), "nothing was stored, and that is said");
    }
    back(killed, &payer).await;

    let payment = end_of(&payer, &paid, FIRST_QUESTION).await;
    assert_eq!(payment["status"], "COMPLETED");
    payer.reconcile(Money::from_shillings(100)).await;
    let payment = end_of(&decliner, &refused, FIRST_QUESTION).await;
    assert_eq!(payment["status"], "ERROR");
    decliner.reconcile(Money::ZERO).await;

    // The gateway has mended the stream unseen.
    while stream.payment().await.status() != PaymentStatus::Completed {}
    assert_eq!(stream.next().await, News::End(Code::Ok));
}

#[tokio::test]
async fn killed_as_the_first_of_many_top_ups_is_answered() {
    let mesh = Mesh::alone();
    let mut players = Vec::new();
    for _ in 0..6 {
        let player = mesh.newcomer().await;
        // Answered when the wallet is back.
        player.habit(json!({"stk": "approve", "delayMs": 5_000})).await;
        let attempt = (mesh.new_name(), player.top_up_body(100).await);
        players.push((player, attempt));
    }
    let wallet = Process::find(&mesh, "svc-wallet");
    let (answered, first) = tokio::sync::oneshot::channel();
    let answered = std::cell::Cell::new(Some(answered));
    let sent = join_all(players.iter().map(|(player, (key, body))| {
        let answered = &answered;
        async move {
            // Some are answered, some are not, some half-way.
            let response = player.top_up_call(key, body).send().await;
            if response.is_ok_and(|response| response.status().is_success()) {
                answered.take().map(|answered| answered.send(()));
            }
        }
    }));
    let ((), killed) = tokio::join!(async { drop(sent.await) }, async {
        first.await.expect("one is answered");
        wallet.kill().await
    });
    back(killed, &players[0].0).await;

    join_all(players.iter().map(|(player, (key, body))| ends_right(&mesh, player, key, body)))
        .await;
    mesh.prove().await;
}

/// Starts the wallet again; done when players reach it.
async fn back(wallet: Killed, player: &Player) {
    wallet.start_again().await;
    eventually("the gateway has found the wallet again", || async {
        (player.get("/wallets/balance").await.status == 200).then_some(())
    })
    .await;
}

/// The wallet is not there, or not quite.
fn is_away(reply: &Reply) -> bool {
    matches!(reply.status, 503 | 504)
}

/// How a payment ended. A wallet that has just come back may ask a client to come
/// again in a moment.
async fn end_of(player: &Player, id: &str, limit: Duration) -> Value {
    within(limit, "a final payment", || async {
        let reply = player.get(&format!("/payments/{id}")).await;
        let payment = if is_away(&reply) { return None } else { reply.ok() };
        let is_final = payment["status"] == "COMPLETED" || payment["status"] == "ERROR";
        is_final.then_some(payment)
    })
    .await
}

/// The client sends again what was not answered, under the same key, and the
/// payment comes to an end that phone, bank and wallet agree on.
async fn ends_right(mesh: &Mesh, player: &Player, key: &str, body: &Value) {
    let payment = eventually("an answer", || async {
        let reply = Reply::to(player.top_up_call(key, body)).await;
        if is_away(&reply) {
            // So many tries a minute are a player's.
            sleep(Duration::from_secs(1)).await;
            return None;
        }
        Some(reply.ok())
    })
    .await;
    let id = payment["paymentId"].as_str().unwrap();
    let payment = end_of(player, id, LAST_RESORT).await;
    let pushes = mesh.sandbox().pushes_to(&player.phone).await.len();
    assert!(pushes <= 1, "the phone was asked {pushes} times");
    let moved = match payment["status"].as_str() {
        Some("COMPLETED") => Money::from_shillings(100),
        // It died between deciding to ask the phone and asking it.
        Some("ERROR") if pushes == 0 => Money::ZERO,
        other => panic!("{other:?} after {pushes} pushes: {payment}"),
    };
    player.reconcile(moved).await;
}

#[tokio::test]
async fn killed_while_callbacks_come_in() {
    let mesh = Mesh::alone();
    let mut players = Vec::new();
    for _ in 0..6 {
        let player = mesh.newcomer().await;
        player.habit(json!({"stk": "manual", "callbacks": 3})).await;
        players.push(player);
    }
    let ids = join_all(players.iter().map(|player| player.top_up(100))).await;
    for (player, id) in players.iter().zip(&ids) {
        player.until_status(id, "IN_PROGRESS").await;
    }
    let wallet = Process::find(&mesh, "svc-wallet");
    for player in &players {
        mesh.sandbox().enter_pin(&player.phone, "1234").await;
    }
    eventually("the first callback is in", || async {
        (!mesh.sandbox().pushes_to(&players[0].phone).await[0].deliveries.is_empty()).then_some(())
    })
    .await;
    back(wallet.kill().await, &players[0]).await;

    let all = players.iter().zip(&ids).map(|(player, id)| async move {
        let payment = end_of(player, id, FIRST_QUESTION).await;
        assert_eq!(payment["status"], "COMPLETED");
        player.reconcile(Money::from_shillings(100)).await;
    });
    join_all(all).await;
}
