//! Invalid requests are refused in an envelope with the right code, and move no
//! money.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use journeys::{Mesh, Player, Reply};
use reqwest::Method;
use serde_json::{Value, json};
use testkit::Tokens;
use types::{Clock, Money, PlayerId};

/// The gateway's limit for a JSON body, in bytes.
const BODY_LIMIT: usize = 64 * 1024;

/// Posts a top-up with an unchanged body.
async fn top_up_raw(player: &Player, body: impl Into<reqwest::Body>) -> Reply {
    let call = player.call(Method::POST, "/payments/top-up").header("idempotency-key", "attempt");
    Reply::to(call.header("content-type", "application/json").body(body)).await
}

#[tokio::test]
async fn malformed_json_is_refused() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
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
async fn invalid_amounts_are_refused() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    player.set_handset(json!({"stk": "approve"})).await;
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
    assert_eq!(mesh.sandbox().pushes_to(&player.phone).await.len(), 0, "no STK push was sent");
    player.reconcile(Money::ZERO).await;
}

#[tokio::test]
async fn other_invalid_fields_of_a_top_up_are_refused() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    player.set_handset(json!({"stk": "approve"})).await;
    let good = player.top_up_body(100).await;
    let airtime = mesh.method("SAFARICOM_CREDIT").await;
    let paypal = mesh.method("PAYPAL").await;
    for (field, value, code) in [
        ("mpesaPhoneNumber", Value::Null, "INVALID_PHONE"),
        ("mpesaPhoneNumber", "+1 555 0100".into(), "INVALID_PHONE"),
        ("mpesaPhoneNumber", 712_345_678.into(), "INVALID_ARGUMENT"),
        ("mpesaPhoneNumber", "07' OR 1=1 --".into(), "INVALID_PHONE"),
        ("paymentMethodId", Value::Null, "INVALID_ARGUMENT"),
        ("paymentMethodId", "MPESA".into(), "INVALID_ARGUMENT"),
        ("paymentMethodId", mesh.unique_id().into(), "UNKNOWN_METHOD"),
        ("paymentMethodId", paypal.into(), "METHOD_COMING_SOON"),
        ("paymentMethodId", airtime.into(), "METHOD_NOT_ALLOWED"),
        ("userId", "me".into(), "INVALID_ARGUMENT"),
        ("userId", true.into(), "INVALID_ARGUMENT"),
    ] {
        let mut body = good.clone();
        body[field] = value.clone();
        let reply = Reply::to(player.top_up_call(&mesh.unique_id(), &body)).await;
        assert_eq!(reply.refusal(), (400, code), "{field} {value}: {}", reply.message);
    }
    let mut body = good.clone();
    body["userId"] = mesh.unique_id().into();
    let reply = Reply::to(player.top_up_call(&mesh.unique_id(), &body)).await;
    assert_eq!(reply.refusal(), (404, "USER_NOT_FOUND"));
    for key in ["", &"k".repeat(256)] {
        let reply = Reply::to(player.top_up_call(key, &good)).await;
        assert_eq!(reply.status, 400, "{key:.5}");
    }
    assert_eq!(mesh.sandbox().pushes_to(&player.phone).await.len(), 0, "no STK push was sent");
    player.reconcile(Money::ZERO).await;
}

#[tokio::test]
async fn unknown_fields_of_a_top_up_are_ignored() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    player.set_handset(json!({"stk": "approve"})).await;
    let mut body = player.top_up_body(100).await;
    body["status"] = "COMPLETED".into();
    body["fee"] = json!(-100);
    let payment = Reply::to(player.top_up_call(&mesh.unique_id(), &body)).await.ok();
    assert_eq!((&payment["status"], &payment["fee"]), (&"PENDING".into(), &0.into()));
    player.until_final(payment["paymentId"].as_str().unwrap()).await;
    player.reconcile(Money::from_shillings(100)).await;
}

#[tokio::test]
async fn forged_and_expired_tokens_are_refused() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    player.set_handset(json!({"stk": "approve"})).await;
    let body = player.top_up_body(100).await;
    for (what, token) in bad_tokens(&player) {
        let mut impostor = player.clone();
        impostor.access_token = token;
        let read = impostor.get("/wallets/balance").await;
        assert_eq!(read.refusal(), (401, "UNAUTHENTICATED"), "{what}");
        let write = Reply::to(impostor.top_up_call(&mesh.unique_id(), &body)).await;
        assert_eq!(write.refusal(), (401, "UNAUTHENTICATED"), "{what}");
    }
    assert_eq!(mesh.sandbox().pushes_to(&player.phone).await.len(), 0, "no STK push was sent");
    player.reconcile(Money::ZERO).await;
}

/// Invalid tokens that claim to be the player's.
fn bad_tokens(player: &Player) -> Vec<(&'static str, String)> {
    let parts: Vec<&str> = player.access_token.split('.').collect();
    let [header, claims, signature] = parts[..] else { panic!("not a token: {parts:?}") };
    let encode = |json: Value| URL_SAFE_NO_PAD.encode(json.to_string());
    let decoded = URL_SAFE_NO_PAD.decode(claims).unwrap();
    let with_claim = |name: &str, value: Value| {
        let mut claims: Value = serde_json::from_slice(&decoded).unwrap();
        claims[name] = value;
        encode(claims)
    };
    let none = encode(json!({"alg": "none", "typ": "JWT"}));
    let hmac = encode(json!({"alg": "HS256", "typ": "JWT"}));
    // Valid tokens, but signed by another key.
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
        ("an expired token of another key", stranger.sign(&old)),
        (
            "a later expiry",
            format!("{header}.{}.{signature}", with_claim("exp", 32_503_680_000_i64.into())),
        ),
        ("a past expiry", format!("{header}.{}.{signature}", with_claim("exp", 1.into()))),
        ("another player", format!("{header}.{}.{signature}", with_claim("sub", "0".into()))),
        ("truncated", format!("{header}.{claims}")),
        ("the refresh token", player.refresh_token.clone()),
        ("nonsense", "nonsense".to_owned()),
        ("long nonsense", "x".repeat(6_000)),
    ]
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    let padded = |length: usize| {
        let start = r#"{"amount": "100", "padding": ""#;
        format!("{start}{}\"}}", "x".repeat(length - start.len() - 2))
    };
    let reply = top_up_raw(&player, padded(BODY_LIMIT + 1)).await;
    assert_eq!(reply.refusal(), (413, "BODY_TOO_LARGE"));
    // A body of exactly the limit is parsed, and its content refused.
    let reply = top_up_raw(&player, padded(BODY_LIMIT)).await;
    assert_eq!(reply.refusal(), (400, "INVALID_ARGUMENT"));
    player.reconcile(Money::ZERO).await;
}

#[tokio::test]
async fn unknown_paths_and_methods_are_refused_in_an_envelope() {
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
        assert_eq!(reply.refusal(), (405, "HTTP_METHOD_NOT_ALLOWED"), "{path}");
    }
}

#[tokio::test]
async fn a_trailing_slash_is_ignored() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    for path in ["/wallets/balance", "/wallets/list", "/games/list", "/tournaments"] {
        let plain = player.get(path).await.ok();
        assert_eq!(player.get(&format!("{path}/")).await.ok(), plain, "{path}");
    }
    let reply = mesh.get("/wallets/balance/").await;
    assert_eq!(reply.refusal(), (401, "UNAUTHENTICATED"));
}

#[tokio::test]
async fn page_parameters_out_of_range_are_refused() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    for query in ["page=0&pageSize=100", "page=3", "pageSize=1", "unknown=1"] {
        let reply = player.get(&format!("/wallets/list?{query}")).await;
        assert_eq!(reply.ok(), json!([]), "{query}");
    }
    for query in ["page=-1", "pageSize=101", "page=x", "pageSize=1e3", "page=99999999999"] {
        let reply = player.get(&format!("/wallets/list?{query}")).await;
        assert_eq!(reply.status, 400, "{query}");
    }
}
