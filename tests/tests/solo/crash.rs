//! Kills svc-wallet with SIGKILL at the worst moments. After the restart the payments
//! end correctly without an operator.

use std::time::Duration;

use futures_util::future::join_all;
use journeys::{KilledProcess, Mesh, Player, Process, Reply, StreamItem, eventually, within};
use proto::types::v1::PaymentStatus;
use serde_json::{Value, json};
use tokio::time::sleep;
use tonic::Code;
use types::Money;

/// The time limit for the first STK query, which svc-wallet sends 20 s after the push.
const FIRST_QUERY: Duration = Duration::from_secs(40);
/// The time limit for a payment whose push was never sent, which fails after five minutes, with the
/// fifth attempt to reconcile it.
const EXPIRY: Duration = Duration::from_secs(330);

#[tokio::test]
async fn a_kill_between_push_and_callback_loses_no_payment() {
    let mesh = Mesh::alone();
    let (payer, decliner) = (mesh.new_player().await, mesh.new_player().await);
    let wallet = Process::find(&mesh, "svc-wallet");
    for player in [&payer, &decliner] {
        player.set_handset(json!({"stk": "manual"})).await;
    }
    let (paid, refused) = (payer.top_up(100).await, decliner.top_up(100).await);
    let mut stream = payer.watch(&[&paid]).await;
    payer.until_status(&paid, "IN_PROGRESS").await;
    decliner.until_status(&refused, "IN_PROGRESS").await;

    let killed = wallet.kill().await;
    let away = payer.get("/wallets/balance").await;
    assert_eq!(away.refusal(), (503, "WALLET_UNAVAILABLE"));
    mesh.sandbox().enter_pin(&payer.phone, "1234").await;
    mesh.sandbox().cancel_prompt(&decliner.phone).await;
    for player in [&payer, &decliner] {
        // The sandbox posts each callback once, while svc-wallet is down.
        let delivery = eventually("the callback is posted", || async {
            mesh.sandbox().pushes_to(&player.phone).await.remove(0).deliveries.pop()
        })
        .await;
        assert_eq!(delivery.status, Some(503), "the callback was not stored");
    }
    restart(killed, &payer).await;

    let payment = until_final(&payer, &paid, FIRST_QUERY).await;
    assert_eq!(payment["status"], "COMPLETED");
    payer.reconcile(Money::from_shillings(100)).await;
    let payment = until_final(&decliner, &refused, FIRST_QUERY).await;
    assert_eq!(payment["status"], "ERROR");
    decliner.reconcile(Money::ZERO).await;

    // The gateway has reconnected to svc-wallet; the client's stream stayed open.
    while stream.payment().await.status() != PaymentStatus::Completed {}
    assert_eq!(stream.next().await, StreamItem::End(Code::Ok));
}

#[tokio::test]
async fn a_kill_during_many_top_ups_loses_no_payment() {
    let mesh = Mesh::alone();
    let mut players = Vec::new();
    for _ in 0..6 {
        let player = mesh.new_player().await;
        // The prompt is approved after svc-wallet has restarted.
        player.set_handset(json!({"stk": "approve", "delayMs": 5_000})).await;
        let attempt = (mesh.unique_id(), player.top_up_body(100).await);
        players.push((player, attempt));
    }
    let wallet = Process::find(&mesh, "svc-wallet");
    let (answered, first) = tokio::sync::oneshot::channel();
    let answered = std::cell::Cell::new(Some(answered));
    let sent = join_all(players.iter().map(|(player, (key, body))| {
        let answered = &answered;
        async move {
            // The kill interrupts some of these requests at any point.
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
    restart(killed, &players[0].0).await;

    join_all(
        players
            .iter()
            .map(|(player, (key, body))| assert_ends_consistently(&mesh, player, key, body)),
    )
    .await;
    mesh.prove().await;
}

/// Restarts svc-wallet, and waits until the gateway reaches it.
async fn restart(wallet: KilledProcess, player: &Player) {
    wallet.restart().await;
    eventually("the gateway reaches svc-wallet again", || async {
        (player.get("/wallets/balance").await.status == 200).then_some(())
    })
    .await;
}

/// Whether the gateway could not reach svc-wallet.
fn is_unavailable(reply: &Reply) -> bool {
    matches!(reply.status, 503 | 504)
}

/// Waits until a payment is final. Retries after the statuses 503 and 504, which may be returned
/// just after the restart.
async fn until_final(player: &Player, id: &str, limit: Duration) -> Value {
    within(limit, "a final payment", || async {
        let reply = player.get(&format!("/payments/{id}")).await;
        let payment = if is_unavailable(&reply) { return None } else { reply.ok() };
        let is_final = payment["status"] == "COMPLETED" || payment["status"] == "ERROR";
        is_final.then_some(payment)
    })
    .await
}

/// Repeats a top-up under the same key until it is answered, waits until the payment
/// is final, and asserts that handset, bank book and wallet agree.
async fn assert_ends_consistently(mesh: &Mesh, player: &Player, key: &str, body: &Value) {
    let payment = eventually("a reply to the top-up", || async {
        let reply = Reply::to(player.top_up_call(key, body)).await;
        if is_unavailable(&reply) {
            // The pause keeps the repeats below the player's rate limit.
            sleep(Duration::from_secs(1)).await;
            return None;
        }
        Some(reply.ok())
    })
    .await;
    let id = payment["paymentId"].as_str().unwrap();
    let payment = until_final(player, id, EXPIRY).await;
    let pushes = mesh.sandbox().pushes_to(&player.phone).await.len();
    assert!(pushes <= 1, "the phone got {pushes} STK pushes");
    let moved = match payment["status"].as_str() {
        Some("COMPLETED") => Money::from_shillings(100),
        // svc-wallet was killed after the payment was SUBMITTING and before the push was sent.
        Some("ERROR") if pushes == 0 => Money::ZERO,
        other => panic!("{other:?} after {pushes} pushes: {payment}"),
    };
    player.reconcile(moved).await;
}

#[tokio::test]
async fn a_kill_while_callbacks_arrive_loses_no_payment() {
    let mesh = Mesh::alone();
    let mut players = Vec::new();
    for _ in 0..6 {
        let player = mesh.new_player().await;
        player.set_handset(json!({"stk": "manual", "callbacks": 3})).await;
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
    eventually("the first callback is delivered", || async {
        (!mesh.sandbox().pushes_to(&players[0].phone).await[0].deliveries.is_empty()).then_some(())
    })
    .await;
    restart(wallet.kill().await, &players[0]).await;

    let all = players.iter().zip(&ids).map(|(player, id)| async move {
        let payment = until_final(player, id, FIRST_QUERY).await;
        assert_eq!(payment["status"], "COMPLETED");
        player.reconcile(Money::from_shillings(100)).await;
    });
    join_all(all).await;
}
