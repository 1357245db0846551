//! Signing in with Google and Facebook, which the sandbox simulates.

use std::collections::HashMap;

use journeys::{Account, Browser, Consent, Mesh, Player, RawReply, Reply, location, outcome};
use reqwest::{Method, Url, header::SET_COOKIE};
use serde_json::Value;

const PROVIDERS: [&str; 2] = ["google", "facebook"];

fn query(url: &Url) -> HashMap<String, String> {
    url.query_pairs().into_owned().collect()
}

/// A URL with one parameter changed.
fn with(url: &Url, name: &str, value: &str) -> Url {
    let pairs: Vec<(String, String)> = url.query_pairs().into_owned().collect();
    let mut changed = url.clone();
    changed.query_pairs_mut().clear().extend_pairs(
        pairs
            .iter()
            .map(|(own, kept)| (own.as_str(), if own == name { value } else { kept.as_str() })),
    );
    changed
}

fn player(mesh: &Mesh, session: &Value) -> Player {
    Player::of(mesh, "", &mesh.new_phone(), session)
}

#[tokio::test]
async fn a_new_player_signs_in_and_finds_the_same_account_again() {
    let mesh = Mesh::from_env();
    for provider in PROVIDERS {
        let account = Account::new(&mesh);
        let mut browser = Browser::new(&mesh);
        let session = browser.session(provider, Consent::NewAccount(&account)).await;
        assert_eq!(session["isNewUser"], true, "{provider}");
        let player = player(&mesh, &session);
        let profile = player.get("/auth/login").await;
        assert_eq!((profile.status, profile.message.as_str()), (201, "You have been logged in."));
        assert_eq!(profile.ok()["uid"], player.uid.as_str());

        let again =
            Browser::new(&mesh).session(provider, Consent::ExistingAccount(&account.email)).await;
        assert_eq!(again["uid"], player.uid.as_str(), "{provider}");
        assert_eq!(again["isNewUser"], false, "{provider}");
        player.refresh().await.ok();
    }
}

#[tokio::test]
async fn the_authorization_request_has_state_pkce_nonce_and_a_cookie() {
    let mesh = Mesh::from_env();
    for provider in PROVIDERS {
        let answer = Browser::new(&mesh).request_sign_in(provider, "").await;
        assert_eq!(answer.status, 302, "{provider}");
        let request = query(&location(&answer));
        let callback = format!("{}/api/auth/oauth/{provider}/callback", mesh.url());
        assert_eq!(request["redirect_uri"], callback);
        assert_eq!(request["response_type"], "code");
        assert_eq!(request["code_challenge_method"], "S256");
        assert_eq!(request["code_challenge"].len(), 43, "SHA-256 in base64url");
        assert!(request["state"].len() >= 22, "128 bits at least");
        assert_eq!(request.contains_key("nonce"), provider == "google");
        assert!(request["scope"].contains("email"));
        assert!(request.values().all(|value| !value.contains("secret")), "{request:?}");

        let cookies: Vec<_> = answer.headers.get_all(SET_COOKIE).iter().collect();
        assert_eq!(cookies.len(), 1, "{provider}");
        let cookie = cookies[0].to_str().unwrap();
        for part in ["HttpOnly", "SameSite=Lax", "Path=/api/auth/oauth", "Max-Age=600"] {
            assert!(cookie.contains(part), "no {part} in {cookie}");
        }
        assert!(!cookie.contains("Domain"), "{cookie}");
        assert!(
            !request.values().any(|value| cookie.contains(value.as_str())),
            "the cookie's secret is sent to the provider"
        );
        assert_eq!(answer.header("cache-control"), Some("no-store"));
    }
}

#[tokio::test]
async fn a_popup_passes_the_result_to_its_opener_only() {
    let mesh = Mesh::from_env();
    let account = Account::new(&mesh);
    for (consent, expected) in
        [(Consent::NewAccount(&account), "\"code\""), (Consent::Deny, "OAUTH_DENIED")]
    {
        let mut browser = Browser::new(&mesh);
        let page = location(&browser.request_sign_in("google", "").await);
        let back = browser.answer_consent(&page, consent).await;
        let reply = browser.follow_callback(&back).await;
        assert!(matches!(reply.status, 200 | 403), "{}", reply.status);
        assert!(reply.header("content-type").unwrap().starts_with("text/html"));
        assert_eq!(reply.header("cache-control"), Some("no-store"));
        assert_eq!(reply.header("cross-origin-opener-policy"), Some("unsafe-none"));
        assert_eq!(reply.header("referrer-policy"), Some("no-referrer"));
        let policy = reply.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("'sha256-"), "{policy}");
        assert!(!policy.contains("unsafe-inline"), "{policy}");
        let html = reply.text().replace("&quot;", "\"").replace("&#34;", "\"");
        assert!(html.contains("playon-oauth") && html.contains(expected), "{html}");
        // The page contains neither the provider's code nor the browser's secret.
        let code = query(&back).remove("code");
        for secret in browser.secrets().into_iter().chain(code) {
            assert!(!html.contains(&secret), "a secret is in the page");
        }
    }
}

#[tokio::test]
async fn a_repeated_one_time_code_returns_the_same_unused_session() {
    let mesh = Mesh::from_env();
    let account = Account::new(&mesh);
    let mut browser = Browser::new(&mesh);
    let code = browser.sign_in("google", Consent::NewAccount(&account)).await.unwrap();
    let tries = futures_util::future::join_all((0..4).map(|_| browser.exchange(&code))).await;
    // A repetition within 30 s counts as a lost reply, and returns the same session.
    let mut tokens: Vec<_> = tries.into_iter().map(|it| it.ok()["refreshToken"].clone()).collect();
    tokens.dedup();
    assert_eq!(tokens.len(), 1);
    mesh.post("/auth/refresh", &serde_json::json!({"refreshToken": tokens[0]})).await.ok();
    for code in [code.as_str(), "", "nonsense", &mesh.unique_id()] {
        let late = browser.exchange(code).await;
        assert_eq!(late.refusal(), (410, "OAUTH_EXPIRED"), "{code:.8}");
        assert_eq!(late.message, "That sign-in took too long. Please try again.");
    }
}

#[tokio::test]
async fn declining_is_refused_and_the_player_can_try_again() {
    let mesh = Mesh::from_env();
    for provider in PROVIDERS {
        let mut browser = Browser::new(&mesh);
        let denied = browser.sign_in(provider, Consent::Deny).await;
        assert_eq!(denied, Err("OAUTH_DENIED".to_owned()), "{provider}");
        let account = Account::new(&mesh);
        browser.session(provider, Consent::NewAccount(&account)).await;
    }
}

#[tokio::test]
async fn redirects_outside_the_app_are_refused() {
    let mesh = Mesh::from_env();
    for target in [
        "//evil.example",
        "https://evil.example/",
        "/\\evil.example",
        "\\\\evil.example",
        "javascript:alert(1)",
        "login",
        "",
        "/a%0d%0aSet-Cookie:%20x=y",
        "/a%09b",
        "%2f%2fevil.example",
        &format!("/{}", "x".repeat(512)),
    ] {
        let answer =
            Browser::new(&mesh).request_sign_in("google", &format!("?redirect={target}")).await;
        assert_eq!(answer.status, 400, "{target:.40}: {:?}", answer.header("location"));
    }
    let path = "/api/auth/oauth/myspace/start";
    assert_eq!(Reply::to(mesh.call(Method::GET, path)).await.status, 404);
}

/// Asserts that the callback was refused with `OAUTH_STATE`, and that no code was issued.
fn assert_state_refused(answer: &RawReply, what: &str) {
    let in_page = answer.text().contains("OAUTH_STATE");
    let in_address =
        answer.header("location").is_some_and(|to| to.ends_with("#oauth_error=OAUTH_STATE"));
    assert!(in_page || in_address, "{what}: {} {}", answer.status, answer.text());
    assert!(!answer.header("location").unwrap_or_default().contains("oauth="), "{what}");
}

#[tokio::test]
async fn a_forged_or_foreign_state_is_refused() {
    let mesh = Mesh::from_env();
    let account = Account::new(&mesh);
    let mut browser = Browser::new(&mesh);
    let page = browser.start("google").await;
    let back = browser.answer_consent(&page, Consent::NewAccount(&account)).await;

    assert_state_refused(
        &browser.follow_callback(&with(&back, "state", "forged")).await,
        "a forged state",
    );
    assert_state_refused(&browser.follow_callback(&with(&back, "state", "")).await, "no state");
    // Login CSRF: the victim's browser has no cookie of this attempt, or the cookie of
    // another one.
    assert_state_refused(
        &Browser::new(&mesh).follow_callback(&back).await,
        "a browser without the cookie",
    );
    let mut other = Browser::new(&mesh);
    other.start("google").await;
    assert_state_refused(&other.follow_callback(&back).await, "another browser's cookie");
}

#[tokio::test]
async fn a_state_is_valid_once() {
    let mesh = Mesh::from_env();
    let account = Account::new(&mesh);
    let mut browser = Browser::new(&mesh);
    let page = browser.start("google").await;
    let back = browser.answer_consent(&page, Consent::NewAccount(&account)).await;
    outcome(&browser.follow_callback(&back).await).unwrap();
    assert_state_refused(&browser.follow_callback(&back).await, "the same address again");
}

#[tokio::test]
async fn a_state_is_bound_to_its_provider() {
    let mesh = Mesh::from_env();
    let account = Account::new(&mesh);
    let mut browser = Browser::new(&mesh);
    let page = browser.start("google").await;
    let mut back = browser.answer_consent(&page, Consent::NewAccount(&account)).await;
    back.set_path("/api/auth/oauth/facebook/callback");
    assert_state_refused(
        &browser.follow_callback(&back).await,
        "Google's state at Facebook's callback",
    );
}

#[tokio::test]
async fn two_attempts_of_one_browser_are_independent_and_cannot_be_mixed() {
    let mesh = Mesh::from_env();
    let (one, two) = (Account::new(&mesh), Account::new(&mesh));
    let mut browser = Browser::new(&mesh);
    let first_page = browser.start("google").await;
    let second_page = browser.start("google").await;
    let first = browser.answer_consent(&first_page, Consent::NewAccount(&one)).await;
    let second = browser.answer_consent(&second_page, Consent::NewAccount(&two)).await;
    // The second attempt's code with the first's state: PKCE and nonce do not match.
    let mixed = with(&first, "code", &query(&second)["code"]);
    assert_eq!(outcome(&browser.follow_callback(&mixed).await), Err("OAUTH_FAILED".to_owned()));
    outcome(&browser.follow_callback(&second).await).unwrap_or_else(|reason| {
        // The provider may invalidate the code after the failed exchange above.
        assert_eq!(reason, "OAUTH_FAILED");
        String::new()
    });
}

#[tokio::test]
async fn an_unknown_provider_code_is_refused() {
    let mesh = Mesh::from_env();
    for provider in PROVIDERS {
        let mut browser = Browser::new(&mesh);
        let page = browser.start(provider).await;
        let back = browser.answer_consent(&page, Consent::NewAccount(&Account::new(&mesh))).await;
        let forged = browser.follow_callback(&with(&back, "code", "4/0Aforged")).await;
        assert_eq!(outcome(&forged), Err("OAUTH_FAILED".to_owned()), "{provider}");
        assert_state_refused(&browser.follow_callback(&back).await, "the attempt is used up");
    }
}
