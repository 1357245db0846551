//! Many concurrent repeats: a phone that gets no reply sends each call again and again, before and
//! after a restart. Each call has one effect.

use std::time::Duration;

use futures_util::{StreamExt as _, future::join_all, stream};
use journeys::{Mesh, Operator, Player, Process, Reply, eventually};
use reqwest::Method;
use serde_json::{Value, json};
use types::Money;

/// The number of repeats that are sent at once. Together with [`AFTERWARDS`] a player stays below
/// the limit of 60 calls a minute that move money.
const AT_ONCE: usize = 20;
/// Repeats once the payment has ended.
const AFTERWARDS: usize = 10;
/// The amount that each player pays in first, in shillings.
const PAID_IN: u32 = 500;
/// The price of a package, in shillings.
const SILVER: i64 = 20;
/// The time after which the providers report an outcome, long enough that svc-wallet usually runs
/// again.
const REPORTED_AFTER_MS: u32 = 8_000;
/// The longest time until a payment ends: a payout's lost result is queried after two minutes.
const ENDED: Duration = Duration::from_mins(4);

/// A call that moves money, and a player of its own who makes it.
struct Call {
    player: Player,
    path: &'static str,
    body: Value,
    /// The same call with other content.
    changed: Value,
    key: String,
    /// The balance that is left once the payment has ended, in shillings.
    left: i64,
    /// STK pushes to the player's phone, the first top-up's among them.
    pushes: usize,
}

#[tokio::test]
async fn twenty_repeats_of_each_call_have_one_effect_also_after_a_restart() {
    let mesh = Mesh::alone();
    let friend = mesh.new_player().await;
    let calls = calls(&mesh, &friend).await;

    let payments = storm(&calls, AT_ONCE).await;
    for process in ["svc-wallet", "redis"] {
        Process::find(&mesh, process).kill().await.restart().await;
    }
    eventually("the wallet is back", || async {
        (friend.get("/wallets/balance").await.status == 200).then_some(())
    })
    .await;
    assert_eq!(storm(&calls, AT_ONCE).await, payments, "the same payments after the restart");
    for (call, payment) in calls.iter().zip(&payments) {
        let ended = call.player.until_final_within(ENDED, payment).await;
        assert_eq!(ended["status"], "COMPLETED", "{} {ended}", call.body);
    }
    assert_eq!(storm(&calls, AFTERWARDS).await, payments, "the same payments after their end");
    refuse_other_content(&calls).await;

    for call in &calls {
        let left = Money::from_cents(call.left * 100);
        assert_eq!(call.player.balance().await, left, "after {} {}", call.path, call.body);
        let pushes = mesh.sandbox().pushes_to(&call.player.phone).await;
        assert_eq!(pushes.len(), call.pushes, "pushes for {} {}", call.path, call.body);
    }
    assert_eq!(friend.balance().await, Money::from_shillings(25 + 35), "both boosts");
    let paid_out = mesh.sandbox().paid_out_to(&calls[0].player.phone).await;
    assert_eq!(paid_out.len(), 1);
    assert_eq!(paid_out[0].reference, payments[0]);
    mesh.prove().await;
}

/// One call of each kind that ends without the page of a provider.
async fn calls(mesh: &Mesh, friend: &Player) -> Vec<Call> {
    let [wallet, mpesa, airtime] = methods(mesh).await;
    let [bronze, silver] = packages(mesh).await;
    let mut players: Vec<Player> =
        stream::iter(0..7).map(|_| funded_player(mesh)).buffered(3).collect().await;
    let fee = fee(&players[0], &mpesa).await;
    let paid_in = i64::from(PAID_IN);
    let mut call = |path, left, pushes, mut body: Value, (field, value): (&str, Value)| {
        let player = players.pop().unwrap();
        let method = &body["paymentMethodId"];
        if *method != json!(wallet) {
            body["mpesaPhoneNumber"] = phone_of(&player, *method == json!(airtime));
        }
        let mut changed = body.clone();
        changed[field] = value;
        Call { player, path, body, changed, key: mesh.unique_id(), left, pushes }
    };
    vec![
        call(
            "/wallets/withdraw",
            paid_in - 50 - fee,
            1,
            json!({"paymentMethodId": mpesa, "amount": 50}),
            ("amount", json!(51)),
        ),
        call(
            "/payments/top-up",
            paid_in + 40,
            2,
            json!({"paymentMethodId": mpesa, "amount": 40}),
            ("mpesaPhoneNumber", json!(friend.phone)),
        ),
        call(
            "/payments/top-up",
            paid_in - 25,
            1,
            json!({"paymentMethodId": wallet, "amount": 25, "userId": friend.uid}),
            ("amount", json!(26)),
        ),
        call(
            "/payments/top-up",
            paid_in,
            2,
            json!({"paymentMethodId": mpesa, "amount": 35, "userId": friend.uid}),
            ("amount", json!(36)),
        ),
        call(
            "/payments/subscribe",
            paid_in - SILVER,
            1,
            json!({"paymentMethodId": wallet, "subscriptionPackageId": silver}),
            ("subscriptionPackageId", json!(bronze)),
        ),
        call(
            "/payments/subscribe",
            paid_in,
            2,
            json!({"paymentMethodId": mpesa, "subscriptionPackageId": bronze}),
            ("subscriptionPackageId", json!(silver)),
        ),
        call(
            "/payments/subscribe",
            paid_in,
            1,
            json!({"paymentMethodId": airtime, "subscriptionPackageId": bronze}),
            ("paymentMethodId", json!(mpesa)),
        ),
    ]
}

async fn methods(mesh: &Mesh) -> [String; 3] {
    [mesh.method("WALLET").await, mesh.method("MPESA").await, mesh.method("SAFARICOM_CREDIT").await]
}

async fn packages(mesh: &Mesh) -> [String; 2] {
    let operator = Operator::of(mesh);
    [operator.apply_package("Bronze", 10).await, operator.apply_package("Silver", SILVER).await]
}

/// The phone that pays or is paid; airtime is taken from a number of Safaricom's.
fn phone_of(player: &Player, is_airtime: bool) -> Value {
    if is_airtime { json!(format!("0722{}", &player.phone[4..])) } else { json!(player.phone) }
}

/// A player who has paid in.
async fn funded_player(mesh: &Mesh) -> Player {
    let player = mesh.new_player().await;
    player.set_handset(json!({"stk": "approve"})).await;
    let payment = player.top_up(PAID_IN).await;
    assert_eq!(player.until_final(&payment).await["status"], "COMPLETED");
    player.prove_phone(&player.phone).await;
    player.set_handset(json!({"stk": "approve", "delayMs": REPORTED_AFTER_MS})).await;
    player
}

/// The fee of a withdrawal of KES 50, in whole shillings.
async fn fee(player: &Player, mpesa: &str) -> i64 {
    let charges = format!("/wallets/withdraw-charges/{mpesa}?amount=50");
    player.get(&charges).await.ok().as_i64().unwrap()
}

/// Sends all calls at once, each `times` times under its key; returns the payment that the replies
/// of a call name. While the calls wait for each other some of them may end without an outcome,
/// as on a phone; at least one repeat of each call names its payment.
async fn storm(calls: &[Call], times: usize) -> Vec<String> {
    join_all(calls.iter().map(|call| async move {
        let sent = (0..times).map(|_| send(&call.player, call.path, &call.key, &call.body));
        let replies = join_all(sent).await;
        let mut payments: Vec<String> = replies
            .into_iter()
            .filter(|reply| !(reply.status == 503 && reply.refusal().1 == "OUTCOME_UNKNOWN"))
            .map(|reply| reply.ok()["paymentId"].as_str().unwrap().to_owned())
            .collect();
        payments.dedup();
        assert_eq!(payments.len(), 1, "one payment of {} {}", call.path, call.body);
        payments.remove(0)
    }))
    .await
}

/// Asserts that each key is refused with changed content, and with a call of another kind.
async fn refuse_other_content(calls: &[Call]) {
    for (call, other) in calls.iter().zip(calls.iter().cycle().skip(1)) {
        for (path, body) in [(call.path, &call.changed), (other.path, &other.body)] {
            let reply = send(&call.player, path, &call.key, body).await;
            assert_eq!(reply.refusal(), (422, "IDEMPOTENCY_KEY_REUSED"), "{path} {body}");
        }
    }
}

async fn send(player: &Player, path: &str, key: &str, body: &Value) -> Reply {
    let call = player.call(Method::POST, path).header("idempotency-key", key);
    Reply::to(call.json(body)).await
}
