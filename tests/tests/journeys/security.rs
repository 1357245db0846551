//! Access by strangers, security headers, and forged callbacks. `access_matrix` tests which callers
//! each route accepts.

use journeys::{Mesh, RawReply, Reply};
use reqwest::Method;
use serde_json::{Value, json};

#[tokio::test]
async fn public_calls_ignore_an_invalid_token() {
    let mesh = Mesh::from_env();
    for path in ["/api/games/list", "/api/tournaments", "/api/payment-methods/list"] {
        for authorization in ["Bearer ", "Bearer nonsense", ""] {
            let call = mesh.call(Method::GET, path).header("authorization", authorization);
            assert!(Reply::to(call).await.ok().is_array(), "{path} with {authorization:?}");
        }
    }
}

#[tokio::test]
async fn another_players_payments_and_profile_are_private() {
    let mesh = Mesh::from_env();
    let (player, stranger) = (mesh.new_player().await, mesh.new_player().await);
    player.set_handset(json!({"stk": "approve"})).await;
    let id = player.top_up(100).await;
    player.until_final(&id).await;

    let path = format!("/profile/{}", player.uid);
    let foreign = stranger.put(&path, &json!({"name": "Mallory"})).await;
    assert_eq!(foreign.refusal(), (403, "PERMISSION_DENIED"));
    assert_eq!(player.get("/auth/login").await.ok()["name"], Value::Null);

    let payment = stranger.get(&format!("/payments/{id}")).await;
    let unknown = stranger.get(&format!("/payments/{}", mesh.unique_id())).await;
    for reply in [payment, unknown] {
        assert_eq!(reply.refusal(), (404, "PAYMENT_NOT_FOUND"));
        assert_eq!(reply.message, "We could not find that payment.");
    }
    assert_eq!(stranger.transactions().await.len(), 0);

    let public = stranger.get(&format!("/users/public/{}", player.uid)).await.ok();
    let names: Vec<&String> = public.as_object().unwrap().keys().collect();
    assert_eq!(names, ["id", "name", "profilePic", "username"], "public fields only");
}

#[tokio::test]
async fn every_reply_has_the_security_headers() {
    let mesh = Mesh::from_env();
    for (path, status) in [
        ("/", 200),
        ("/wallet", 200),
        ("/service-worker.js", 200),
        ("/assets/no-such.js", 404),
        ("/healthz", 200),
        ("/api/games/list", 200),
        ("/api/wallets/balance", 401),
        ("/api/nothing", 404),
    ] {
        let answer = RawReply::to(mesh.call(Method::GET, path).header("accept", "text/html")).await;
        assert_eq!(answer.status, status, "{path}");
        let policy = answer.header("content-security-policy").unwrap();
        for part in [
            "default-src 'self'",
            "script-src 'self';",
            "object-src 'none'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        ] {
            assert!(policy.contains(part), "{path}: no {part} in {policy}");
        }
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
        for name in ["referrer-policy", "permissions-policy", "cross-origin-opener-policy"] {
            assert!(answer.header(name).is_some(), "{path}: no {name}");
        }
        assert_eq!(answer.header("access-control-allow-origin"), None, "{path}");
        assert_eq!(answer.header("server"), None, "{path}");
    }
}

#[tokio::test]
async fn bundles_are_cached_for_a_year_and_pages_are_not() {
    let mesh = Mesh::from_env();
    let page = RawReply::to(mesh.call(Method::GET, "/").header("accept", "text/html")).await;
    assert_eq!(page.header("cache-control"), Some("no-cache"));
    assert!(page.header("content-type").unwrap().starts_with("text/html"));
    let bundle = page.text().split('"').find(|part| part.starts_with("/assets/"));
    let answer = RawReply::to(mesh.call(Method::GET, bundle.unwrap())).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("cache-control"), Some("public, max-age=31536000, immutable"));
    let worker = RawReply::to(mesh.call(Method::GET, "/service-worker.js")).await;
    assert_eq!(worker.header("cache-control"), Some("no-cache"));
    // API replies are never cached.
    let reply = mesh.get("/games/list").await;
    assert_eq!(reply.headers["cache-control"], "no-store");
}

#[tokio::test]
async fn a_callback_with_a_forged_secret_moves_no_money() {
    let mesh = Mesh::from_env();
    let player = mesh.new_player().await;
    player.set_handset(json!({"stk": "manual"})).await;
    let id = player.top_up(100).await;
    player.until_status(&id, "IN_PROGRESS").await;
    let paid = json!({"Body": {"stkCallback": {
        "MerchantRequestID": "m", "CheckoutRequestID": "ws_CO_forged", "ResultCode": 0,
        "ResultDesc": "The service request is processed successfully.",
        "CallbackMetadata": {"Item": [
            {"Name": "Amount", "Value": 100}, {"Name": "MpesaReceiptNumber", "Value": "FORGED1"},
        ]},
    }}});
    for secret in ["0".repeat(32), mesh.unique_id(), id.clone()] {
        let call = mesh.call(Method::POST, &format!("/hooks/stk/{secret}")).json(&paid);
        let answer = RawReply::to(call).await;
        // 404 is safe, because its 128 bits cannot be guessed. Nothing is stored
        // (docs/decisions/0001).
        assert_eq!(answer.status, 404, "{}", answer.text());
    }
    mesh.sandbox().enter_pin(&player.phone, "0000").await;
    assert_eq!(player.until_final(&id).await["status"], "ERROR");
    player.reconcile(types::Money::ZERO).await;
}
