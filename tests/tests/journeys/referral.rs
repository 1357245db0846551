//! Redeeming a friend's referral code.

use futures_util::future::join_all;
use journeys::{Mesh, Player, Reply};
use serde_json::{Value, json};

async fn referral_of(player: &Player) -> Value {
    player.get("/referrals").await.ok()
}

async fn redeem(player: &Player, code: &str) -> Reply {
    player.post("/referrals", &json!({"referralCode": code})).await
}

async fn code_of(player: &Player) -> String {
    referral_of(player).await["referralCode"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_friends_code_can_be_redeemed_once() {
    let mesh = Mesh::from_env();
    let (inviter, friend, other) =
        (mesh.new_player().await, mesh.new_player().await, mesh.new_player().await);
    let code = code_of(&inviter).await;
    assert_eq!(
        referral_of(&inviter).await,
        json!({"referralCode": code, "redeemed": false, "invited": 0})
    );
    assert_eq!(inviter.profile().await["referralCode"], code.as_str());

    assert_eq!(redeem(&friend, &code).await.ok(), Value::Null);
    assert_eq!(referral_of(&friend).await["redeemed"], true);
    assert_eq!(
        referral_of(&inviter).await,
        json!({"referralCode": code, "redeemed": false, "invited": 1})
    );

    for again in [&code, &code_of(&other).await] {
        assert_eq!(redeem(&friend, again).await.refusal(), (409, "REFERRAL_ALREADY_USED"));
    }
    redeem(&other, &code).await.ok();
    assert_eq!(referral_of(&inviter).await["invited"], 2);
    assert_eq!(referral_of(&other).await["invited"], 0);
}

#[tokio::test]
async fn ones_own_and_unknown_codes_are_refused() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    let mine = code_of(&player).await;
    assert_eq!(redeem(&player, &mine).await.refusal(), (422, "OWN_REFERRAL"));
    for unknown in ["ZZZZZZZZ", "' OR 1=1 --", &mesh.unique_id()] {
        assert_eq!(
            redeem(&player, unknown).await.refusal(),
            (404, "REFERRAL_NOT_FOUND"),
            "{unknown}"
        );
    }
    for body in [
        json!({}),
        json!({"referralCode": ""}),
        json!({"referralCode": null}),
        json!({"referralCode": 7}),
    ] {
        let reply = player.post("/referrals", &body).await;
        assert_eq!(reply.refusal(), (400, "INVALID_ARGUMENT"), "{body}");
    }
    assert_eq!(
        referral_of(&player).await,
        json!({"referralCode": mine, "redeemed": false, "invited": 0})
    );
}

#[tokio::test]
async fn of_many_codes_redeemed_at_once_one_counts() {
    let mesh = Mesh::from_env();
    let inviters = join_all((0..3).map(|_| mesh.new_player())).await;
    let codes = join_all(inviters.iter().map(code_of)).await;
    let friend = mesh.new_player().await;
    let replies = join_all(codes.iter().map(|code| redeem(&friend, code))).await;
    let accepted = replies.iter().filter(|reply| reply.status == 200).count();
    assert_eq!(accepted, 1, "{replies:?}");
    let referrals = join_all(inviters.iter().map(referral_of)).await;
    let counted: u64 = referrals.iter().map(|referral| referral["invited"].as_u64().unwrap()).sum();
    assert_eq!(counted, 1);
}
