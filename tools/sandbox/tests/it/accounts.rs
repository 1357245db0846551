//! Accounts, and the page where a person chooses one.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::browser::{
    Browser, MARY, order, put_account, put_mary, query_param, redirect, with_mary,
};
use crate::support::Harness;

#[tokio::test]
async fn puts_an_account_by_its_address_or_id() {
    let sandbox = Harness::start().await;
    let made = put_mary(&sandbox, "google").await;
    assert_eq!(made["sub"].as_str().unwrap().len(), 21);
    let again = put_account(&sandbox, "google", "Mary@PlayOn.test", json!({"name": "M"})).await;
    assert_eq!((&again["sub"], &again["name"]), (&made["sub"], &json!("M")));
    assert_eq!(again["email"], MARY, "what is left out stays");
    let sub = made["sub"].as_str().unwrap();
    let moved = json!({"email": "m@playon.test", "emailVerified": false});
    let moved = put_account(&sandbox, "google", sub, moved).await;
    assert_eq!(
        (&moved["email"], &moved["emailVerified"]),
        (&json!("m@playon.test"), &json!(false))
    );
    let named = put_account(&sandbox, "google", MARY, json!({"sub": "42"})).await;
    assert_eq!((&named["sub"], &named["emailVerified"]), (&json!("42"), &json!(true)));
    let without = put_account(&sandbox, "facebook", "77", json!({"name": "No Mail"})).await;
    assert_eq!((&without["email"], &without["emailVerified"]), (&Value::Null, &json!(false)));
    let accounts = sandbox.get("/accounts").await;
    let mut subs: Vec<_> =
        accounts.as_array().unwrap().iter().map(|one| one["sub"].as_str().unwrap()).collect();
    subs.sort_unstable();
    assert_eq!(subs, [sub, "42", "77"], "no other account exists");
}

#[tokio::test]
async fn refuses_invalid_accounts_and_orders() {
    let sandbox = with_mary("google").await;
    put_account(&sandbox, "google", "42", json!({"email": "a@playon.test"})).await;
    for (path, body, expected) in [
        ("/accounts/google/43", json!({"name": "x"}), 400),
        ("/accounts/google/b@playon.test", json!({"name": ""}), 400),
        ("/accounts/google/b@playon.test", json!({"sub": "a b"}), 400),
        ("/accounts/google/b@playon.test", json!({"sub": "42"}), 409),
        ("/accounts/google/mary@playon.test", json!({"sub": "44"}), 409),
        ("/accounts/google/42", json!({"email": MARY}), 409),
        ("/accounts/google/42", json!({"mail": MARY}), 400),
        ("/accounts/myspace/42", json!({}), 400),
        ("/social", json!({"next": {"provider": "google"}}), 400),
        ("/social", json!({"next": {"provider": "google", "account": "x"}}), 404),
        (
            "/social",
            json!({"next": {"provider": "facebook", "deny": true}, "tamper": "expired"}),
            400,
        ),
        ("/social", json!({"tamper": "unsigned"}), 400),
    ] {
        let url = sandbox.url(&format!("/control{path}"));
        let reply = sandbox.http.put(url).body(body.to_string()).send().await.unwrap();
        assert_eq!(reply.status().as_u16(), expected, "{path} {body}");
    }
}

#[tokio::test]
async fn the_page_lists_the_accounts_of_its_provider() {
    let sandbox = Harness::start().await;
    let body = json!({"name": "<b>Mary</b>", "emailVerified": false});
    let made = put_account(&sandbox, "google", MARY, body).await;
    put_account(&sandbox, "facebook", "77", json!({"name": "Other Network"})).await;
    let browser = Browser::at_google(&sandbox);
    let reply = browser.open().await;
    assert_eq!(reply.status(), StatusCode::OK);
    let policy = reply.headers()["content-security-policy"].to_str().unwrap().to_owned();
    assert!(policy.contains("default-src 'none'"), "{policy}");
    assert!(policy.contains("form-action 'self' http://127.0.0.1:8080;"), "{policy}");
    let page = reply.text().await.unwrap();
    assert!(page.contains("&lt;b&gt;Mary&lt;/b&gt;") && !page.contains("<b>Mary"), "{page}");
    assert!(page.contains("not verified") && !page.contains("Other Network"), "{page}");
    assert!(page.contains("width=device-width") && !page.contains("<script"), "{page}");

    let sub = made["sub"].as_str().unwrap();
    assert!(page.contains(&format!("name=\"account\" value=\"{sub}\"")), "{page}");
    let back = redirect(&browser.submit(&[("account", sub)]).await);
    assert!(query_param(&back, "code").is_some());
}

#[tokio::test]
async fn creates_an_account_on_the_page() {
    let sandbox = Harness::start().await;
    let google = Browser::at_google(&sandbox);
    for bad in [
        vec![("name", "Mary")],
        vec![("name", ""), ("email", MARY)],
        vec![("name", "Mary"), ("email", "nowhere")],
        vec![],
    ] {
        let reply = google.submit(&bad).await;
        assert_eq!(reply.status(), StatusCode::BAD_REQUEST, "{bad:?}");
        assert!(reply.text().await.unwrap().contains("role=\"alert\""));
    }
    redirect(&google.submit(&[("name", "Mary"), ("email", MARY)]).await);
    let facebook = Browser::at_facebook(&sandbox);
    redirect(&facebook.submit(&[("name", "No Mail"), ("email", ""), ("verified", "yes")]).await);
    let accounts = sandbox.get("/accounts").await;
    let email = |at: usize| (accounts[at]["email"].clone(), accounts[at]["emailVerified"].clone());
    assert_eq!(email(0), (Value::Null, json!(false)));
    assert_eq!(email(1), (json!(MARY), json!(false)), "the box was not ticked");
    let twice = google.submit(&[("name", "Mary"), ("email", "MARY@playon.test")]).await;
    assert_eq!(twice.status(), StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn never_redirects_to_an_unknown_client_or_address() {
    let sandbox = with_mary("google").await;
    for (name, value) in [
        ("client_id", Some("unknown")),
        ("client_id", None),
        ("redirect_uri", Some("https://evil.example/cb")),
        ("redirect_uri", Some("http://127.0.0.1/cb#x")),
        ("redirect_uri", None),
    ] {
        // An order must not skip the check.
        order(&sandbox, json!({"next": {"provider": "google", "account": MARY}})).await;
        let browser = Browser::at_google(&sandbox).with(name, value);
        for reply in [browser.open().await, browser.submit(&[("account", MARY)]).await] {
            assert_eq!(reply.status(), StatusCode::BAD_REQUEST, "{name}: {value:?}");
            assert!(!reply.headers().contains_key("location"));
        }
    }
}

#[tokio::test]
async fn redirects_an_invalid_request_of_a_known_client_with_its_error() {
    let sandbox = Harness::start().await;
    for (name, value, error) in [
        ("response_type", Some("token"), "unsupported_response_type"),
        ("response_type", None, "unsupported_response_type"),
        ("scope", Some("email"), "invalid_scope"),
        ("code_challenge", Some("short"), "invalid_request"),
        ("code_challenge_method", Some("plain"), "invalid_request"),
        ("code_challenge_method", None, "invalid_request"),
    ] {
        let browser = Browser::at_google(&sandbox).with(name, value);
        let back = redirect(&browser.open().await);
        assert_eq!(query_param(&back, "error").as_deref(), Some(error), "{name}: {value:?}");
        assert_eq!(query_param(&back, "code"), None);
    }
}

#[tokio::test]
async fn a_reset_removes_accounts_and_orders() {
    let sandbox = with_mary("google").await;
    order(&sandbox, json!({"tamper": "expired"})).await;
    sandbox.control(Method::POST, "/reset", Value::Null).await;
    assert_eq!(sandbox.get("/accounts").await, json!([]));
    assert_eq!(sandbox.get("/social").await["tamper"], "none");
}
