//! Invalid requests are refused, and move no money.

use proto::wallet::v1::{GetBalanceRequest, ListTransactionsRequest, TopUpRequest};
use testkit::Tokens;
use tonic::Code;
use types::Money;

use crate::world::{World, bearing, reason};

#[tokio::test]
async fn refuses_each_invalid_field_with_its_reason() {
    let world = World::new().await;
    let player = world.player();
    let good = world.request(100, "key").await;
    let airtime = world.method("SAFARICOM_CREDIT").await;
    let paypal = world.method("PAYPAL").await;
    let cases: Vec<(&str, TopUpRequest)> = vec![
        ("INVALID_ARGUMENT", TopUpRequest { amount: None, ..good.clone() }),
        ("AMOUNT_OUT_OF_RANGE", TopUpRequest { amount: Some(money(0)), ..good.clone() }),
        ("AMOUNT_OUT_OF_RANGE", TopUpRequest { amount: Some(money(-10_000)), ..good.clone() }),
        ("AMOUNT_OUT_OF_RANGE", TopUpRequest { amount: Some(money(25_000_100)), ..good.clone() }),
        ("AMOUNT_OUT_OF_RANGE", TopUpRequest { amount: Some(money(i64::MAX)), ..good.clone() }),
        ("WHOLE_SHILLINGS_ONLY", TopUpRequest { amount: Some(money(10_050)), ..good.clone() }),
        ("INVALID_PHONE", TopUpRequest { mpesa_phone_number: None, ..good.clone() }),
        (
            "INVALID_PHONE",
            TopUpRequest { mpesa_phone_number: Some("+1 555 0100".into()), ..good.clone() },
        ),
        ("INVALID_ARGUMENT", TopUpRequest { payment_method_id: "MPESA".into(), ..good.clone() }),
        (
            "UNKNOWN_METHOD",
            TopUpRequest {
                payment_method_id: "00000000-0000-7000-8000-00000000dead".into(),
                ..good.clone()
            },
        ),
        ("METHOD_COMING_SOON", TopUpRequest { payment_method_id: paypal, ..good.clone() }),
        ("METHOD_NOT_ALLOWED", TopUpRequest { payment_method_id: airtime, ..good.clone() }),
        ("INVALID_ARGUMENT", TopUpRequest { beneficiary_id: Some("me".into()), ..good.clone() }),
        ("INVALID_IDEMPOTENCY_KEY", TopUpRequest { request_id: String::new(), ..good.clone() }),
        ("INVALID_IDEMPOTENCY_KEY", TopUpRequest { request_id: "x".repeat(256), ..good.clone() }),
    ];
    for (expected, request) in cases {
        let refused = world.send(&player, request).await.unwrap_err();
        assert_eq!(reason(&refused), expected, "{}", refused.message());
    }
    let payments: i64 =
        sqlx::query_scalar("SELECT count(*) FROM payment").fetch_one(&world.pool).await.unwrap();
    assert_eq!(payments, 0);
    world.finish().await;
}

fn money(cents: i64) -> proto::types::v1::Money {
    Money::from_cents(cents).into()
}

#[tokio::test]
async fn refuses_calls_without_a_valid_token() {
    let world = World::new().await;
    let player = world.player();
    let mut expired = world.tokens.claims(player.id);
    expired.exp = expired.iat - 1;
    let mut elsewhere = world.tokens.claims(player.id);
    elsewhere.aud = "another product".into();
    let stranger = Tokens::new(&world.base.clock).token(player.id);
    let (header, rest) = player.token.split_once('.').unwrap();
    let (payload, _) = rest.split_once('.').unwrap();
    // {"alg":"none","typ":"JWT"}
    let none = format!("eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.{payload}.");
    let unsigned = format!("{header}.{payload}.");
    for token in [
        world.tokens.sign(&expired),
        world.tokens.sign(&elsewhere),
        stranger,
        none,
        unsigned,
        "garbage".to_owned(),
        "x".repeat(10_000),
    ] {
        let refused = world.client().get_balance(bearing(&token, GetBalanceRequest {})).await;
        assert_eq!(refused.unwrap_err().code(), Code::Unauthenticated, "{token:.40}");
    }
    let guest = world.client().get_balance(GetBalanceRequest {}).await.unwrap_err();
    assert_eq!(reason(&guest), "UNAUTHENTICATED");
    world.finish().await;
}

#[tokio::test]
async fn refuses_an_expired_token() {
    let world = World::new().await;
    let player = world.player();
    assert_eq!(world.balance(&player).await, Money::ZERO);
    world.wait(std::time::Duration::from_mins(16)).await;
    let refused = world.client().get_balance(bearing(&player.token, GetBalanceRequest {})).await;
    assert_eq!(refused.unwrap_err().code(), Code::Unauthenticated);
    world.finish().await;
}

#[tokio::test]
async fn another_players_payment_is_not_found() {
    let world = World::new().await;
    let (player, stranger) = (world.player(), world.player());
    world.phone(serde_json::json!({"stk": "manual"})).await;
    let id = world.top_up(&player, 100).await;
    let refused = world.payment(&stranger, &id).await.unwrap_err();
    assert_eq!(reason(&refused), "PAYMENT_NOT_FOUND");
    world.finish().await;
}

#[tokio::test]
async fn refuses_pages_beyond_the_limits() {
    let world = World::new().await;
    let player = world.player();
    for (page, page_size) in [(0, 101), (u32::MAX, 100)] {
        let request =
            bearing(&player.token, ListTransactionsRequest { page, page_size, before: None });
        let refused = world.client().list_transactions(request).await.unwrap_err();
        assert_eq!(refused.code(), Code::InvalidArgument, "{page} {page_size}");
    }
    world.finish().await;
}
