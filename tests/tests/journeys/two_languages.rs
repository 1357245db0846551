//! Mails, text messages, statements and content are in the language of the app that asked for them.

use std::time::Duration;

use journeys::{Mesh, Operator, RawReply, Reply, eventually};
use proto::{
    timestamp,
    tournament::v1::{AwardManifest, Tier, TournamentManifest},
};
use reqwest::{Method, RequestBuilder, header::ACCEPT_LANGUAGE};
use serde_json::json;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

/// The header of an app that is in Swahili.
fn in_swahili(call: RequestBuilder) -> RequestBuilder {
    call.header(ACCEPT_LANGUAGE, "sw")
}

#[tokio::test]
async fn a_code_by_sms_comes_in_the_language_of_the_app() {
    let mesh = Mesh::from_env();
    let phone = mesh.new_phone();
    let body = json!({"phone": phone, "captcha": mesh.solved_captcha().await});
    Reply::to(in_swahili(mesh.call(Method::POST, "/api/auth/phone/start")).json(&body)).await.ok();
    let code = mesh.sandbox().code_sent_to(&phone).await;
    let sms = mesh.sandbox().texts_to(&phone).await;
    assert!(sms[0].text.starts_with(&format!("{code} ni OTP yako ya PlayOn.")), "{}", sms[0].text);
}

#[tokio::test]
async fn a_mail_comes_in_the_language_of_the_app() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    let body = json!({"email": player.email});
    let call = in_swahili(mesh.call(Method::POST, "/api/auth/password/reset")).json(&body);
    Reply::to(call).await.ok();
    eventually("a mail in Swahili", || async {
        let mails = mesh.sandbox().mails_to(&player.email).await;
        mails.iter().any(|mail| mail.subject == "Badilisha nenosiri lako la PlayOn").then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_history_and_a_statement_are_in_the_language_of_the_app() {
    let mesh = Mesh::from_env();
    let [player, friend] = [mesh.new_player().await, mesh.new_player().await];
    player.set_handset(json!({"stk": "approve"})).await;
    player.until_final(&player.top_up(200).await).await;
    let body =
        json!({"paymentMethodId": mesh.method("WALLET").await, "amount": 50, "userId": friend.uid});
    Reply::to(player.top_up_call(&mesh.unique_id(), &body)).await.ok();

    let history = Reply::to(in_swahili(player.call(Method::GET, "/wallets/list"))).await.ok();
    let detail = history[0]["detail"].as_str().unwrap();
    assert!(detail.starts_with("Pesa kwa "), "{history}");
    let made = OffsetDateTime::parse(history[0]["createdAt"].as_str().unwrap(), &Rfc3339).unwrap();
    let (from, to) = (made.date(), made.date().next_day().unwrap());
    let path = format!("/wallets/statement?from={from}&to={to}&format=csv");
    let reply = RawReply::to(in_swahili(player.call(Method::GET, &path))).await;
    let statement = reply.text();
    assert!(statement.contains("Tarehe,Saa,Aina,Maelezo,Kiasi (KES),Salio (KES)"), "{statement}");
    assert!(statement.contains(",Kuweka pesa,M-Pesa,200.00,200.00,"), "{statement}");
    assert!(statement.contains(&format!(",Kumpa rafiki pesa,{detail},-50.00,")), "{statement}");
}

#[tokio::test]
async fn content_is_in_the_language_of_the_app() {
    let mesh = Mesh::from_env();
    let operator = Operator::of(&mesh);
    let name = format!("t-{}", mesh.unique_id());
    operator.apply_counter_game(&name).await;
    let now = mesh.clock().now();
    let award = AwardManifest {
        position: 1,
        name: "First tick".to_owned(),
        name_sw: "Tiki ya kwanza".to_owned(),
        tier: Tier::Bronze.into(),
        ..AwardManifest::default()
    };
    let tournament = TournamentManifest {
        key: name.clone(),
        name: name.clone(),
        description: "Ten ticks".to_owned(),
        description_sw: "Tiki kumi".to_owned(),
        game: name,
        starts: Some(timestamp(now)),
        ends: Some(timestamp(now + Duration::from_hours(1))),
        rounds: 1,
        runs_per_round: 1,
        awards: vec![award],
        ..TournamentManifest::default()
    };
    let id = operator.apply_tournament(tournament).await;

    let path = format!("/api/tournaments/{id}");
    let in_english = Reply::to(mesh.call(Method::GET, &path)).await.ok();
    assert_eq!(in_english["description"], "Ten ticks", "{in_english}");
    assert_eq!(in_english["firstAward"], "First tick", "{in_english}");
    let reply = Reply::to(in_swahili(mesh.call(Method::GET, &path))).await.ok();
    assert_eq!(reply["description"], "Tiki kumi", "{reply}");
    assert_eq!(reply["firstAward"], "Tiki ya kwanza", "{reply}");
}
