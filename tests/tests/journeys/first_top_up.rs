//! A new player from the sign-up to money in the wallet, and boosts to friends.

use journeys::{Mesh, Player, Reply, StreamItem};
use proto::types::v1::PaymentStatus;
use serde_json::{Value, json};
use tonic::Code;
use types::{Money, Msisdn};

#[tokio::test]
async fn a_new_player_tops_up_and_sees_the_money() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;

    assert_empty_profile(&player).await;
    complete_profile(&mesh, &player).await;
    assert_eq!(player.balance().await, Money::ZERO);
    assert_eq!(player.transactions().await, Vec::<Value>::new());

    player.set_handset(json!({"stk": "manual"})).await;
    let body = player.top_up_body(100).await;
    let payment = Reply::to(player.top_up_call(&mesh.unique_id(), &body)).await.ok();
    let id = payment["paymentId"].as_str().unwrap();
    assert_eq!(
        payment,
        json!({
            "paymentId": id, "status": "PENDING", "type": "TOPUP", "amount": 100, "fee": 0,
            "message": "Check your phone: M-Pesa is about to ask for your PIN.", "txGwSessionUrl": null,
            "heldUntil": null,
        })
    );
    watch_until_completed(&mesh, &player, id).await;

    assert_eq!(player.payment(id).await["status"], "COMPLETED");
    assert_one_transaction(&mesh, &player).await;
    player.reconcile(Money::from_shillings(100)).await;

    sign_out(&player).await;
}

/// Asserts the profile of a player who has entered nothing yet.
async fn assert_empty_profile(player: &Player) {
    let reply = player.get("/auth/login").await;
    assert_eq!((reply.status, reply.message.as_str()), (201, "You have been logged in."));
    let profile = reply.ok();
    assert_eq!(
        profile,
        json!({
            "id": player.uid, "uid": player.uid, "email": player.email,
            "name": null, "username": null, "dob": null, "gender": null, "phone": null,
            "profilePic": null, "countryId": null, "currencyId": null, "chatRooms": [],
            "breakUntil": null,
            "referralCode": profile["referralCode"], "createdAt": profile["createdAt"],
        })
    );
    assert!(profile["referralCode"].as_str().is_some_and(|code| !code.is_empty()));
    assert!(is_time(&profile["createdAt"]), "{}", profile["createdAt"]);
    // 201 on the first read only.
    assert_eq!(player.get("/auth/login").await.status, 200);
}

async fn complete_profile(mesh: &Mesh, player: &Player) {
    let username = format!("j_{}", &mesh.unique_id().replace('-', "")[14..]);
    let fields = json!({
        "name": "Wanjirũ wa Kamau", "username": username, "dob": "1999-02-28",
        "gender": "FEMALE", "phone": player.phone, "currencyId": "KES", "countryId": "KE",
    });
    let path = format!("/profile/{}", player.uid);
    let profile = player.put(&path, &fields).await.ok();
    for field in ["name", "username", "dob", "gender", "currencyId", "countryId"] {
        assert_eq!(profile[field], fields[field], "{field}");
    }
    assert_eq!(profile["phone"], Msisdn::parse(&player.phone).unwrap().e164());
    assert_eq!(profile["email"], player.email, "an absent field keeps its value");
    assert_eq!(player.get("/auth/login").await.ok(), profile);

    let found = player.get(&format!("/users/username/{username}")).await.ok();
    assert_eq!(found, json!({"id": player.uid}));
}

/// Watches the payment, enters the PIN when the prompt is open, and watches on until
/// it is COMPLETED.
async fn watch_until_completed(mesh: &Mesh, player: &Player, id: &str) {
    let mut stream = player.watch(&[id]).await;
    let mut seen = Vec::new();
    loop {
        let update = stream.payment().await;
        assert_eq!(update.payment_id, id);
        let status = update.status();
        if status == PaymentStatus::InProgress {
            assert!(update.message.starts_with("Enter your M-Pesa PIN on 07"), "{update:?}");
            if !seen.contains(&status) {
                mesh.sandbox().enter_pin(&player.phone, "1234").await;
            }
        }
        seen.push(status);
        if status == PaymentStatus::Completed {
            assert_eq!(update.message, "Top up request was processed successfully!");
            break;
        }
    }
    // The push may have been accepted before the stream opened, and after the gateway
    // reconnects to svc-wallet it sends the current state again.
    seen.retain(|status| *status != PaymentStatus::Pending);
    seen.dedup();
    assert_eq!(seen, [PaymentStatus::InProgress, PaymentStatus::Completed]);
    assert_eq!(stream.next().await, StreamItem::End(Code::Ok), "the payment is final");
}

async fn assert_one_transaction(mesh: &Mesh, player: &Player) {
    let receipt = mesh.sandbox().received_from(&player.phone).await.remove(0).receipt;
    let history = player.transactions().await;
    assert_eq!(history.len(), 1);
    let line = &history[0];
    let paid_at = &line["payment"]["mpesaTransactionDate"];
    assert_eq!(
        *line,
        json!({
            "id": line["id"], "userId": player.uid,
            "transactionDesc": "TOPUP_WALLET", "transactionDescId": line["transactionDescId"],
            "kind": "TOP_UP", "amount": 100, "direction": "CREDIT", "balanceAfter": 100, "detail": "M-Pesa",
            "createdAt": line["createdAt"], "updatedAt": line["updatedAt"],
            "payment": {
                "successful": true, "receipt": receipt,
                "mpesaTransactionDate": paid_at, "mpesaRransactionDate": paid_at,
            },
            "payout": null, "cursor": line["cursor"], "counterpartyId": null,
            "tax": null,
        })
    );
    assert!(line["id"].is_string() && line["cursor"].is_string());
    for time in [&line["createdAt"], &line["updatedAt"], paid_at] {
        assert!(is_time(time), "{time}");
    }
}

/// Signs out, and asserts that the refresh token is revoked.
async fn sign_out(player: &Player) {
    let out = player.post("/auth/sign-out", &json!({"refreshToken": player.refresh_token})).await;
    assert_eq!(out.ok(), Value::Null);
    assert_eq!(player.refresh().await.refusal(), (401, "SESSION_REVOKED"));
}

/// RFC 3339 in UTC with milliseconds: `2026-11-20T09:00:00.000Z`.
fn is_time(value: &Value) -> bool {
    let pattern = b"dddd-dd-ddTdd:dd:dd.dddZ";
    value.as_str().is_some_and(|text| {
        text.len() == pattern.len()
            && text.bytes().zip(pattern).all(|(b, want)| match want {
                b'd' => b.is_ascii_digit(),
                _ => b == *want,
            })
    })
}

#[tokio::test]
async fn an_mpesa_boost_credits_the_friends_wallet() {
    let mesh = Mesh::from_env();
    let (payer, friend) = (mesh.new_player().await, mesh.new_player().await);
    payer.set_handset(json!({"stk": "approve"})).await;
    let mut body = payer.top_up_body(30).await;
    body["userId"] = friend.uid.clone().into();
    let payment = Reply::to(payer.top_up_call(&mesh.unique_id(), &body)).await.ok();
    assert_eq!(payment["type"], "BOOST");

    let payment = payer.until_final(payment["paymentId"].as_str().unwrap()).await;
    assert_eq!(payment["status"], "COMPLETED");
    assert_eq!(friend.balance().await, Money::from_shillings(30));
    assert_eq!(friend.transactions().await[0]["transactionDesc"], "TOPUP_WALLET");
    assert_eq!(payer.balance().await, Money::ZERO);
    assert_eq!(payer.paid_by_phone().await, Money::from_shillings(30));
    mesh.prove().await;
}

#[tokio::test]
async fn a_wallet_boost_moves_the_money_before_the_reply() {
    let mesh = Mesh::from_env();
    let (payer, friend) = (mesh.new_player().await, mesh.new_player().await);
    payer.set_handset(json!({"stk": "approve"})).await;
    let topped_up = payer.top_up(100).await;
    payer.until_final(&topped_up).await;

    let boost = |amount: u32, method: String| json!({"paymentMethodId": method, "amount": amount, "userId": friend.uid});
    let method = mesh.method("WALLET").await;
    let too_much = boost(101, method.clone());
    let refused = Reply::to(payer.top_up_call(&mesh.unique_id(), &too_much)).await;
    assert_eq!(refused.refusal(), (422, "INSUFFICIENT_FUNDS"));
    assert_eq!(refused.message, "You do not have enough money in your wallet.");

    let payment = Reply::to(payer.top_up_call(&mesh.unique_id(), &boost(40, method))).await.ok();
    assert_eq!((&payment["status"], &payment["type"]), (&"COMPLETED".into(), &"BOOST".into()));
    assert_eq!(payer.balance().await, Money::from_shillings(60));
    assert_eq!(friend.balance().await, Money::from_shillings(40));
    let line = &payer.transactions().await[0];
    assert_eq!(
        (&line["transactionDesc"], &line["direction"]),
        (&"BOOST_FRIEND".into(), &"DEBIT".into())
    );
    mesh.prove().await;
}
