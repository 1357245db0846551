//! The language of what players read.

use mesh::Fault;
use proto::{types::v1::PaymentStatus, wallet::v1::WatchPaymentsResponse};
use tonic::Code;
use types::Text;

use crate::{
    grpc_web::{open, subscribe},
    world::{World, read},
};

#[tokio::test]
async fn a_refusal_is_in_the_language_of_the_call() {
    let world = World::new().await;
    let fault = Fault::new(Code::InvalidArgument, "METHOD_COMING_SOON").param("name", "PayPal");
    for (language, text) in [
        ("sw-KE", "Malipo kwa PayPal yanakuja hivi karibuni. Tafadhali chagua njia nyingine."),
        ("en-KE", "Payment using PayPal coming soon. Please choose another method."),
        ("fr", "Payment using PayPal coming soon. Please choose another method."),
    ] {
        world.stub.refuse(fault.clone());
        let call = world.get("/api/games/list").header("accept-language", language);
        let answer = read(call).await;
        assert_eq!(answer.refusal(), (400, "METHOD_COMING_SOON".into()));
        assert_eq!(answer.envelope()["statusMessage"], text, "{language}");
    }
}

#[tokio::test]
async fn the_text_of_a_field_and_a_refusal_of_the_gateway_are_in_swahili() {
    let world = World::new().await;
    world.stub.refuse(Fault::invalid_field("username", "USERNAME_MISSING"));
    let answer = read(world.get("/api/games/list").header("accept-language", "sw")).await;
    let fields = &answer.envelope()["payload"]["fields"];
    assert_eq!(fields["username"], "Tafadhali weka jina la mchezaji.");

    let answer = read(world.get("/api/nothing").header("accept-language", "sw")).await;
    assert_eq!(answer.envelope()["statusMessage"], "Hatukuweza kupata unachotafuta.");
    let answer = read(world.get("/api/wallets/balance").header("accept-language", "sw")).await;
    assert_eq!(answer.envelope()["statusMessage"], "Tafadhali ingia.");
}

#[tokio::test]
async fn a_success_is_in_the_language_of_the_call() {
    let world = World::new().await;
    for (language, text) in
        [("sw", "Umetolewa kwenye vifaa vyote."), ("en", "You have been signed out everywhere.")]
    {
        let call = world.send_signed_in("POST", "/api/auth/sign-out-everywhere", "");
        let answer = read(call.header("accept-language", language)).await;
        assert_eq!(answer.envelope()["statusMessage"], text);
    }
}

#[tokio::test]
async fn only_a_reply_that_may_be_cached_varies_by_language() {
    let world = World::new().await;
    let cached = read(world.get("/api/countries/list")).await;
    assert_eq!(cached.header("vary"), Some("accept-language"));
    assert_eq!(read(world.get("/api/games/list")).await.header("vary"), None);
}

#[tokio::test]
async fn a_live_stream_is_in_the_language_of_its_call() {
    let world = World::new().await;
    let feed = world.stub.next_watch();
    let call = subscribe(&world, &["p-1"]).bearer_auth(world.tokens.player().1);
    let mut stream = open(call.header("accept-language", "sw")).await;
    let update = WatchPaymentsResponse {
        payment_id: "p-1".into(),
        status: PaymentStatus::InProgress.into(),
        text: Some(Text::new("PAYMENT_PROMPT_ON_PHONE").with("phone", "0712 … 678").into()),
        held_until: None,
    };
    feed.send(Ok(update)).await.unwrap();
    assert_eq!(stream.payment().await.message, "Weka M-Pesa PIN yako kwenye 0712 … 678.");
}
