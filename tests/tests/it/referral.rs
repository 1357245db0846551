//! A friend's code, entered once.

use futures_util::future::join_all;
use journeys::{Mesh, Player, Reply};
use serde_json::{Value, json};

async fn own(player: &Player) -> Value {
    player.get("/referrals").await.ok()
}

async fn enter(player: &Player, code: &str) -> Reply {
    player.post("/referrals", &json!({"referralCode": code})).await
}

async fn code_of(player: &Player) -> String {
    own(player).await["referralCode"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_friends_code_is_entered_once() {
    let mesh = Mesh::from_env();
    let (inviter, friend, other) =
        (mesh.newcomer().await, mesh.newcomer().await, mesh.newcomer().await);
    let code = code_of(&inviter).await;
    assert_eq!(own(&inviter).await, json!({"referralCode": code, "redeemed": false, "invited": 0}));
    assert_eq!(inviter.profile().await["referralCode"], code.as_str());

    assert_eq!(enter(&friend, &code).await.ok(), Value::Null);
    assert_eq!(own(&friend).await["redeemed"], true);
    assert_eq!(own(&inviter).await, json!({"referralCode": code, "redeemed": false, "invited": 1}));

    for again in [&code, &code_of(&other).await] {
        assert_eq!(enter(&friend, again).await.refusal(), (409, "REFERRAL_ALREADY_USED"));
    }
    enter(&other, &code).await.ok();
    assert_eq!(own(&inviter).await["invited"], 2);
    assert_eq!(own(&other).await["invited"], 0);
}

#[tokio::test]
async fn what_is_no_friends_code_is_refused() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    let mine = code_of(&player).await;
    assert_eq!(enter(&player, &mine).await.refusal(), (422, "OWN_REFERRAL"));
    for unknown in ["ZZZZZZZZ", "' OR 1=1 --", &mesh.new_name()] {
        assert_eq!(
            enter(&player, unknown).await.refusal(),
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
    assert_eq!(own(&player).await, json!({"referralCode": mine, "redeemed": false, "invited": 0}));
}

#[tokio::test]
async fn of_many_codes_at_once_one_counts() {
    let mesh = Mesh::from_env();
    let inviters = join_all((0..3).map(|_| mesh.newcomer())).await;
    let codes = join_all(inviters.iter().map(code_of)).await;
    let friend = mesh.newcomer().await;
    let replies = join_all(codes.iter().map(|code| enter(&friend, code))).await;
    let accepted = replies.iter().filter(|reply| reply.status == 200).count();
    assert_eq!(accepted, 1, "{replies:?}");
    let invited = join_all(inviters.iter().map(own)).await;
    let counted: u64 = invited.iter().map(|own| own["invited"].as_u64().unwrap()).sum();
    assert_eq!(counted, 1);
}
