//! Who may see what, and what browsers are told about it.

use journeys::{Answer, Mesh, Reply};
use reqwest::Method;
use serde_json::{Value, json};

/// Every call of the contract that needs a bearer.
const GUARDED: [(&str, &str); 18] = [
    ("GET", "/api/auth/login"),
    ("POST", "/api/auth/sign-out"),
    ("POST", "/api/auth/sign-out-everywhere"),
    ("PUT", "/api/auth/password"),
    ("PUT", "/api/profile/me"),
    ("DELETE", "/api/profile/me"),
    ("POST", "/api/upload"),
    ("GET", "/api/referrals"),
    ("POST", "/api/referrals"),
    ("GET", "/api/users/public"),
    ("GET", "/api/users/public/me"),
    ("GET", "/api/users/get/me"),
    ("GET", "/api/users/username/me"),
    ("GET", "/api/wallets/balance"),
    ("GET", "/api/wallets/list"),
    ("POST", "/api/payments/top-up"),
    ("GET", "/api/payments/one"),
    ("GET", "/api/chat-rooms/list"),
];

#[tokio::test]
async fn what_needs_a_player_turns_guests_away() {
    let mesh = Mesh::from_env();
    for (method, path) in GUARDED {
        let method: Method = method.parse().unwrap();
        for authorization in [None, Some("Bearer "), Some("Bearer nonsense"), Some("Basic cDpw")] {
            let mut call = mesh.call(method.clone(), path).json(&json!({}));
            if let Some(authorization) = authorization {
                call = call.header("authorization", authorization);
            }
            let reply = Reply::to(call).await;
            assert_eq!(reply.refusal(), (401, "UNAUTHENTICATED"), "{method} {path}");
        }
    }
}

#[tokio::test]
async fn what_guests_may_see_is_not_refused_for_a_bad_token() {
    let mesh = Mesh::from_env();
    for path in ["/api/games/list", "/api/tournaments", "/api/payment-methods/list"] {
        for authorization in ["Bearer ", "Bearer nonsense", ""] {
            let call = mesh.call(Method::GET, path).header("authorization", authorization);
            assert!(Reply::to(call).await.ok().is_array(), "{path} with {authorization:?}");
        }
    }
}

#[tokio::test]
async fn another_players_things_stay_theirs() {
    let mesh = Mesh::from_env();
    let (player, stranger) = (mesh.newcomer().await, mesh.newcomer().await);
    player.habit(json!({"stk": "approve"})).await;
    let id = player.top_up(100).await;
    player.until_final(&id).await;

    let path = format!("/profile/{}", player.uid);
    let foreign = stranger.put(&path, &json!({"name": "Mallory"})).await;
    assert_eq!(foreign.refusal(), (403, "PERMISSION_DENIED"));
    assert_eq!(player.get("/auth/login").await.ok()["name"], Value::Null);

    let payment = stranger.get(&format!("/payments/{id}")).await;
    let unknown = stranger.get(&format!("/payments/{}", mesh.new_name())).await;
    for reply in [payment, unknown] {
        assert_eq!(reply.refusal(), (404, "PAYMENT_NOT_FOUND"));
        assert_eq!(reply.message, "We do not know that payment.");
    }
    assert_eq!(stranger.transactions().await.len(), 0);

    let public = stranger.get(&format!("/users/public/{}", player.uid)).await.ok();
    let names: Vec<&String> = public.as_object().unwrap().keys().collect();
    assert_eq!(names, ["id", "name", "profilePic", "username"], "nothing private");
}

#[tokio::test]
async fn browsers_are_told_to_be_strict_about_everything() {
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
        let answer = Answer::to(mesh.call(Method::GET, path).header("accept", "text/html")).await;
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
async fn the_page_is_fresh_and_its_bundles_are_kept() {
    let mesh = Mesh::from_env();
    let page = Answer::to(mesh.call(Method::GET, "/").header("accept", "text/html")).await;
    assert_eq!(page.header("cache-control"), Some("no-cache"));
    assert!(page.header("content-type").unwrap().starts_with("text/html"));
    let bundle = page.text().split('"').find(|word| word.starts_with("/assets/"));
    let answer = Answer::to(mesh.call(Method::GET, bundle.unwrap())).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("cache-control"), Some("public, max-age=31536000, immutable"));
    let worker = Answer::to(mesh.call(Method::GET, "/service-worker.js")).await;
    assert_eq!(worker.header("cache-control"), Some("no-cache"));
    // What is one player's, of this moment, is kept by nobody.
    let reply = mesh.get("/games/list").await;
    assert_eq!(reply.headers["cache-control"], "no-store");
}

#[tokio::test]
async fn a_callback_that_nobody_asked_for_moves_nothing() {
    let mesh = Mesh::from_env();
    let player = mesh.newcomer().await;
    player.habit(json!({"stk": "manual"})).await;
    let id = player.top_up(100).await;
    player.until_status(&id, "IN_PROGRESS").await;
    let paid = json!({"Body": {"stkCallback": {
        "MerchantRequestID": "m", "CheckoutRequestID": "ws_CO_forged", "ResultCode": 0,
        "ResultDesc": "The service request is processed successfully.",
        "CallbackMetadata": {"Item": [
            {"Name": "Amount", "Value": 100}, {"Name": "MpesaReceiptNumber", "Value": "FORGED1"},
        ]},
    }}});
    for secret in ["0".repeat(32), mesh.new_name(), id.clone()] {
        let call = mesh.call(Method::POST, &format!("/hooks/stk/{secret}")).json(&paid);
        let answer = Answer::to(call).await;
        // 128 bits are not found by asking, so it may be told that this is none; and
        // noise is not kept (docs/decisions/0008).
        assert_eq!(answer.status, 404, "{}", answer.text());
    }
    mesh.sandbox().enter_pin(&player.phone, "0000").await;
    assert_eq!(player.until_final(&id).await["status"], "ERROR");
    player.reconcile(types::Money::ZERO).await;
}
