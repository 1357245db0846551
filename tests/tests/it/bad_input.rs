//! What is no request gets a clear no in an envelope, and moves nothing.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use journeys::{Mesh, Player, Reply};
use reqwest::Method;
use serde_json::{Value, json};
use testkit::Tokens;
use types::{Clock, Money, PlayerId};

/// As api.md has it.
const BODY_LIMIT: usize = 64 * 1024;

/// Posts a top-up byte for byte.
async fn top_up_raw(player: &Player, body: impl Into<reqwest::Body>) -> Reply {
    let call = player.call(Method::POST, "/payments/top-up").header("idempotency-key", "attempt");
    Reply::to(call.header("content-type", "application/json").body(body)).await
}

#[tokio::test]
async fn what_is_no_json_is_told_so() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    for body in [
        "",
        "{",
        "nonsense",
        "{'amount': 100}",
        r#"{"amount": NaN}"#,
        r#"{"amount": Infinity}"#,
        r#"{"amount": 0x64}"#,
        r#"{"amount": 100} trailing"#,
        "\u{feff}{}",
    ] {
        let reply = top_up_raw(&player, body).await;
        assert_eq!(reply.refusal(), (400, "MALFORMED_JSON"), "{body}");
    }
    let not_utf8 = top_up_raw(&player, b"{\"amount\": \"\xff\"}".to_vec()).await;
    assert_eq!(not_utf8.status, 400);
    for body in ["[]", "null", "100", "\"100\""] {
        let reply = top_up_raw(&player, body).await;
        assert_eq!(reply.refusal(), (400, "INVALID_ARGUMENT"), "{body}");
    }
    player.reconcile(Money::ZERO).await;
}

#[tokio::test]
async fn what_is_no_amount_moves_nothing() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    player.habit(json!({"stk": "approve"})).await;
    let good = player.top_up_body(100).await;
    let method = good["paymentMethodId"].as_str().unwrap();
    for (amount, code) in [
        ("1e30", "INVALID_ARGUMENT"),
        ("1000000000000000000000000000000", "INVALID_ARGUMENT"),
        ("9223372036854775808", "INVALID_ARGUMENT"),
        ("-1e30", "INVALID_ARGUMENT"),
        ("0.001", "INVALID_ARGUMENT"),
        ("1e-400", "INVALID_ARGUMENT"),
        ("null", "INVALID_ARGUMENT"),
        ("true", "INVALID_ARGUMENT"),
        ("\"100\"", "INVALID_ARGUMENT"),
        ("[100]", "INVALID_ARGUMENT"),
        ("{\"value\": 100}", "INVALID_ARGUMENT"),
        ("-100", "AMOUNT_OUT_OF_RANGE"),
        ("0", "AMOUNT_OUT_OF_RANGE"),
        ("-0", "AMOUNT_OUT_OF_RANGE"),
        ("250001", "AMOUNT_OUT_OF_RANGE"),
        ("10.5", "WHOLE_SHILLINGS_ONLY"),
    ] {
        let body = format!(
            r#"{{"paymentMethodId": "{method}", "mpesaPhoneNumber": "{}", "amount": {amount}}}"#,
            player.phone
        );
        let reply = top_up_raw(&player, body).await;
        assert_eq!(reply.refusal(), (400, code), "{amount}: {}", reply.message);
        assert_eq!(reply.fields(), ["amount"], "{amount}");
    }
    assert_eq!(mesh.sandbox().pushes_to(&player.phone).await.len(), 0, "no phone is asked");
    player.reconcile(Money::ZERO).await;
}

#[tokio::test]
async fn each_other_field_is_judged_too() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    player.habit(json!({"stk": "approve"})).await;
    let good = player.top_up_body(100).await;
    let (card, airtime) = (mesh.method("CARD").await, mesh.method("SAFARICOM_CREDIT").await);
    let paypal = mesh.method("PAYPAL").await;
    for (field, value, code) in [
        ("mpesaPhoneNumber", Value::Null, "INVALID_PHONE"),
        ("mpesaPhoneNumber", "+1 555 0100".into(), "INVALID_PHONE"),
        ("mpesaPhoneNumber", 712_345_678.into(), "INVALID_ARGUMENT"),
        ("mpesaPhoneNumber", "07' OR 1=1 --".into(), "INVALID_PHONE"),
        ("paymentMethodId", Value::Null, "INVALID_ARGUMENT"),
        ("paymentMethodId", "MPESA".into(), "INVALID_ARGUMENT"),
        ("paymentMethodId", mesh.new_name().into(), "UNKNOWN_METHOD"),
        ("paymentMethodId", card.into(), "METHOD_COMING_SOON"),
        ("paymentMethodId", paypal.into(), "METHOD_COMING_SOON"),
        ("paymentMethodId", airtime.into(), "METHOD_NOT_ALLOWED"),
        ("userId", "me".into(), "INVALID_ARGUMENT"),
        ("userId", true.into(), "INVALID_ARGUMENT"),
    ] {
        let mut body = good.clone();
        body[field] = value.clone();
        let reply = Reply::to(player.top_up_call(&mesh.new_name(), &body)).await;
        assert_eq!(reply.refusal(), (400, code), "{field} {value}: {}", reply.message);
    }
    let mut body = good.clone();
    body["userId"] = mesh.new_name().into();
    let reply = Reply::to(player.top_up_call(&mesh.new_name(), &body)).await;
    assert_eq!(reply.refusal(), (404, "USER_NOT_FOUND"));
    for key in ["", &"k".repeat(256)] {
        let reply = Reply::to(player.top_up_call(key, &good)).await;
        assert_eq!(reply.status, 400, "{key:.5}");
    }
    assert_eq!(mesh.sandbox().pushes_to(&player.phone).await.len(), 0, "no phone is asked");
    player.reconcile(Money::ZERO).await;
}

#[tokio::test]
async fn what_is_not_asked_for_is_passed_over() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    player.habit(json!({"stk": "approve"})).await;
    let mut body = player.top_up_body(100).await;
    body["status"] = "COMPLETED".into();
    body["fee"] = json!(-100);
    let payment = Reply::to(player.top_up_call(&mesh.new_name(), &body)).await.ok();
    assert_eq!((&payment["status"], &payment["fee"]), (&"PENDING".into(), &0.into()));
    player.until_final(payment["paymentId"].as_str().unwrap()).await;
    player.reconcile(Money::from_shillings(100)).await;
}

#[tokio::test]
async fn only_a_good_token_is_a_player() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    player.habit(json!({"stk": "approve"})).await;
    let body = player.top_up_body(100).await;
    for (what, token) in bad_tokens(&player) {
        let mut impostor = player.clone();
        impostor.access_token = token;
        let read = impostor.get("/wallets/balance").await;
        assert_eq!(read.refusal(), (401, "UNAUTHENTICATED"), "{what}");
        let write = Reply::to(impostor.top_up_call(&mesh.new_name(), &body)).await;
        assert_eq!(write.refusal(), (401, "UNAUTHENTICATED"), "{what}");
    }
    assert_eq!(mesh.sandbox().pushes_to(&player.phone).await.len(), 0, "no phone is asked");
    player.reconcile(Money::ZERO).await;
}

/// Tokens that claim to be the player's, and are not.
fn bad_tokens(player: &Player) -> Vec<(&'static str, String)> {
    let parts: Vec<&str> = player.access_token.split('.').collect();
    let [header, claims, signature] = parts[..] else { panic!("no token: {parts:?}") };
    let encode = |json: Value| URL_SAFE_NO_PAD.encode(json.to_string());
    let decoded = URL_SAFE_NO_PAD.decode(claims).unwrap();
    let bent = |name: &str, value: Value| {
        let mut claims: Value = serde_json::from_slice(&decoded).unwrap();
        claims[name] = value;
        encode(claims)
    };
    let none = encode(json!({"alg": "none", "typ": "JWT"}));
    let hmac = encode(json!({"alg": "HS256", "typ": "JWT"}));
    // Well made in every way, by somebody else's key.
    let stranger = Tokens::new(&Clock::system());
    let id: PlayerId = PlayerId::parse(&player.uid).unwrap();
    let mut old = stranger.claims(id);
    old.exp = old.iat - 1;
    let forged = stranger.token(id);
    let foreign_signature = forged.rsplit('.').next().unwrap();
    vec![
        ("unsigned, alg none", format!("{none}.{claims}.")),
        ("signed, alg none", format!("{none}.{claims}.{signature}")),
        ("without its signature", format!("{header}.{claims}.")),
        ("alg HS256", format!("{hmac}.{claims}.{signature}")),
        ("another key's signature", format!("{header}.{claims}.{foreign_signature}")),
        ("another key's token", forged.clone()),
        ("an old token of another key", stranger.sign(&old)),
        (
            "a longer life",
            format!("{header}.{}.{signature}", bent("exp", 32_503_680_000_i64.into())),
        ),
        ("long over", format!("{header}.{}.{signature}", bent("exp", 1.into()))),
        ("another player", format!("{header}.{}.{signature}", bent("sub", "0".into()))),
        ("cut off", format!("{header}.{claims}")),
        ("the refresh token", player.refresh_token.clone()),
        ("nonsense", "nonsense".to_owned()),
        ("much nonsense", "x".repeat(6_000)),
    ]
}

#[tokio::test]
async fn a_body_has_a_limit() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    let padded = |length: usize| {
        let start = r#"{"amount": "100", "padding": ""#;
        format!("{start}{}\"}}", "x".repeat(length - start.len() - 2))
    };
    let reply = top_up_raw(&player, padded(BODY_LIMIT + 1)).await;
    assert_eq!(reply.refusal(), (413, "BODY_TOO_LARGE"));
    // Just within it, the content is judged.
    let reply = top_up_raw(&player, padded(BODY_LIMIT)).await;
    assert_eq!(reply.refusal(), (400, "INVALID_ARGUMENT"));
    player.reconcile(Money::ZERO).await;
}

#[tokio::test]
async fn what_is_not_there_is_told_in_an_envelope() {
    let mesh = Mesh::from_env();
    for path in ["/api", "/api/", "/api/nothing", "/api/wallets", "/api/payments/a/b", "/hooks/stk"]
    {
        let reply = Reply::to(mesh.call(Method::GET, path)).await;
        assert_eq!(reply.refusal(), (404, "NOT_FOUND"), "{path}");
    }
    for (method, path) in [
        (Method::DELETE, "/api/wallets/balance"),
        (Method::GET, "/api/payments/top-up/"),
        (Method::POST, "/api/games/list"),
        (Method::GET, "/api/auth/sign-up"),
        (Method::GET, "/hooks/stk/secret"),
    ] {
        let reply = Reply::to(mesh.call(method, path)).await;
        assert_eq!(reply.refusal(), (405, "METHOD_NOT_ALLOWED"), "{path}");
    }
}

#[tokio::test]
async fn a_trailing_slash_makes_no_difference() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    for path in ["/wallets/balance", "/wallets/list", "/games/list", "/tournaments"] {
        let plain = player.get(path).await.ok();
        assert_eq!(player.get(&format!("{path}/")).await.ok(), plain, "{path}");
    }
    let reply = mesh.get("/wallets/balance/").await;
    assert_eq!(reply.refusal(), (401, "UNAUTHENTICATED"));
}

#[tokio::test]
async fn pages_have_bounds() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    for query in ["page=0&pageSize=100", "page=3", "pageSize=1", "unknown=1"] {
        let reply = player.get(&format!("/wallets/list?{query}")).await;
        assert_eq!(reply.ok(), json!([]), "{query}");
    }
    for query in ["page=-1", "pageSize=101", "page=x", "pageSize=1e3", "page=99999999999"] {
        let reply = player.get(&format!("/wallets/list?{query}")).await;
        assert_eq!(reply.status, 400, "{query}");
    }
}
