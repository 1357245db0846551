//! The way in by Google and Facebook, whose pages the sandbox has.

use std::collections::HashMap;

use journeys::{Account, Answer, Browser, Consent, Mesh, Player, Reply, location, outcome};
use reqwest::{Method, Url, header::SET_COOKIE};
use serde_json::Value;

const PROVIDERS: [&str; 2] = ["google", "facebook"];

fn query(url: &Url) -> HashMap<String, String> {
    url.query_pairs().into_owned().collect()
}

/// The same address with one parameter changed.
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
async fn a_newcomer_comes_by_either_and_finds_the_same_account_again() {
    let mesh = Mesh::from_env();
    for provider in PROVIDERS {
        let account = Account::new(&mesh);
        let mut browser = Browser::new(&mesh);
        let session = browser.session(provider, Consent::First(&account)).await;
        assert_eq!(session["isNewUser"], true, "{provider}");
        let newcomer = player(&mesh, &session);
        let profile = newcomer.get("/auth/login").await;
        assert_eq!((profile.status, profile.message.as_str()), (201, "You have been logged in."));
        assert_eq!(profile.ok()["uid"], newcomer.uid.as_str());

        let again = Browser::new(&mesh).session(provider, Consent::Again(&account.email)).await;
        assert_eq!(again["uid"], newcomer.uid.as_str(), "{provider}");
        assert_eq!(again["isNewUser"], false, "{provider}");
        newcomer.refresh().await.ok();
    }
}

#[tokio::test]
async fn the_provider_is_asked_by_the_book() {
    let mesh = Mesh::from_env();
    for provider in PROVIDERS {
        let answer = Browser::new(&mesh).ask(provider, "").await;
        assert_eq!(answer.status, 302, "{provider}");
        let asked = query(&location(&answer));
        let callback = format!("{}/api/auth/oauth/{provider}/callback", mesh.url());
        assert_eq!(asked["redirect_uri"], callback);
        assert_eq!(asked["response_type"], "code");
        assert_eq!(asked["code_challenge_method"], "S256");
        assert_eq!(asked["code_challenge"].len(), 43, "SHA-256 in base64url");
        assert!(asked["state"].len() >= 22, "128 bits at least");
        assert_eq!(asked.contains_key("nonce"), provider == "google");
        assert!(asked["scope"].contains("email"));
        assert!(asked.values().all(|value| !value.contains("secret")), "{asked:?}");

        let cookies: Vec<_> = answer.headers.get_all(SET_COOKIE).iter().collect();
        assert_eq!(cookies.len(), 1, "{provider}");
        let cookie = cookies[0].to_str().unwrap();
        for part in ["HttpOnly", "SameSite=Lax", "Path=/api/auth/oauth", "Max-Age=600"] {
            assert!(cookie.contains(part), "no {part} in {cookie}");
        }
        assert!(!cookie.contains("Domain"), "{cookie}");
        assert!(
            !asked.values().any(|value| cookie.contains(value.as_str())),
            "it is told to the provider"
        );
        assert_eq!(answer.header("cache-control"), Some("no-store"));
    }
}

#[tokio::test]
async fn in_a_popup_a_page_tells_its_opener_and_nobody_else() {
    let mesh = Mesh::from_env();
    let account = Account::new(&mesh);
    for (consent, word) in [(Consent::First(&account), "\"code\""), (Consent::Deny, "OAUTH_DENIED")]
    {
        let mut browser = Browser::new(&mesh);
        let page = location(&browser.ask("google", "").await);
        let back = browser.decide(&page, consent).await;
        let told = browser.come_back(&back).await;
        assert!(matches!(told.status, 200 | 403), "{}", told.status);
        assert!(told.header("content-type").unwrap().starts_with("text/html"));
        assert_eq!(told.header("cache-control"), Some("no-store"));
        assert_eq!(told.header("cross-origin-opener-policy"), Some("unsafe-none"));
        assert_eq!(told.header("referrer-policy"), Some("no-referrer"));
        let policy = told.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("'sha256-"), "{policy}");
        assert!(!policy.contains("unsafe-inline"), "{policy}");
        let html = told.text().replace("&quot;", "\"").replace("&#34;", "\"");
        assert!(html.contains("playon-oauth") && html.contains(word), "{html}");
        // Neither the provider's code nor the browser's secret is the page's business.
        let code = query(&back).remove("code");
        for secret in browser.secrets().into_iter().chain(code) {
            assert!(!html.contains(&secret), "a secret is in the page");
        }
    }
}

#[tokio::test]
async fn a_code_is_traded_for_one_session() {
    let mesh = Mesh::from_env();
    let account = Account::new(&mesh);
    let mut browser = Browser::new(&mesh);
    let code = browser.sign_in("google", Consent::First(&account)).await.unwrap();
    let tries = futures_util::future::join_all((0..4).map(|_| browser.exchange(&code))).await;
    // Whoever sends it again a moment later lost the reply, and is given the same session.
    let mut tokens: Vec<_> = tries.into_iter().map(|it| it.ok()["refreshToken"].clone()).collect();
    tokens.dedup();
    assert_eq!(tokens.len(), 1);
    mesh.post("/auth/refresh", &serde_json::json!({"refreshToken": tokens[0]})).await.ok();
    for code in [code.as_str(), "", "nonsense", &mesh.new_name()] {
        let late = browser.exchange(code).await;
        assert_eq!(late.refusal(), (410, "OAUTH_EXPIRED"), "{code:.8}");
        assert_eq!(late.message, "That sign-in took too long. Please try again.");
    }
}

#[tokio::test]
async fn who_says_no_is_told_so_and_may_try_again() {
    let mesh = Mesh::from_env();
    for provider in PROVIDERS {
        let mut browser = Browser::new(&mesh);
        let denied = browser.sign_in(provider, Consent::Deny).await;
        assert_eq!(denied, Err("OAUTH_DENIED".to_owned()), "{provider}");
        let account = Account::new(&mesh);
        browser.session(provider, Consent::First(&account)).await;
    }
}

#[tokio::test]
async fn only_a_place_of_our_own_is_redirected_to() {
    let mesh = Mesh::from_env();
    for place in [
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
        let answer = Browser::new(&mesh).ask("google", &format!("?redirect={place}")).await;
        assert_eq!(answer.status, 400, "{place:.40}: {:?}", answer.header("location"));
    }
    let path = "/api/auth/oauth/myspace/start";
    assert_eq!(Reply::to(mesh.call(Method::GET, path)).await.status, 404);
}

/// Whatever is forged ends the same, and nobody is signed in by it.
fn refused(answer: &Answer, what: &str) {
    let in_words = answer.text().contains("OAUTH_STATE");
    let in_address =
        answer.header("location").is_some_and(|to| to.ends_with("#oauth_error=OAUTH_STATE"));
    assert!(in_words || in_address, "{what}: {} {}", answer.status, answer.text());
    assert!(!answer.header("location").unwrap_or_default().contains("oauth="), "{what}");
}

#[tokio::test]
async fn a_forged_or_foreign_state_signs_nobody_in() {
    let mesh = Mesh::from_env();
    let account = Account::new(&mesh);
    let mut browser = Browser::new(&mesh);
    let page = browser.start("google").await;
    let back = browser.decide(&page, Consent::First(&account)).await;

    refused(&browser.come_back(&with(&back, "state", "forged")).await, "a forged state");
    refused(&browser.come_back(&with(&back, "state", "")).await, "no state");
    // Somebody is lured into the attacker's account: their browser has no cookie
    // of this attempt, or that of another one.
    refused(&Browser::new(&mesh).come_back(&back).await, "a browser without the cookie");
    let mut other = Browser::new(&mesh);
    other.start("google").await;
    refused(&other.come_back(&back).await, "another browser's cookie");
}

#[tokio::test]
async fn a_state_is_used_once() {
    let mesh = Mesh::from_env();
    let account = Account::new(&mesh);
    let mut browser = Browser::new(&mesh);
    let page = browser.start("google").await;
    let back = browser.decide(&page, Consent::First(&account)).await;
    outcome(&browser.come_back(&back).await).unwrap();
    refused(&browser.come_back(&back).await, "the same address again");
}

#[tokio::test]
async fn one_providers_attempt_is_not_anothers() {
    let mesh = Mesh::from_env();
    let account = Account::new(&mesh);
    let mut browser = Browser::new(&mesh);
    let page = browser.start("google").await;
    let mut back = browser.decide(&page, Consent::First(&account)).await;
    back.set_path("/api/auth/oauth/facebook/callback");
    refused(&browser.come_back(&back).await, "Google's answer at Facebook's door");
}

#[tokio::test]
async fn two_attempts_of_one_browser_do_not_disturb_each_other_or_mix() {
    let mesh = Mesh::from_env();
    let (one, two) = (Account::new(&mesh), Account::new(&mesh));
    let mut browser = Browser::new(&mesh);
    let first_page = browser.start("google").await;
    let second_page = browser.start("google").await;
    let first = browser.decide(&first_page, Consent::First(&one)).await;
    let second = browser.decide(&second_page, Consent::First(&two)).await;
    // The second's code under the first's state: PKCE and nonce are not its own.
    let mixed = with(&first, "code", &query(&second)["code"]);
    assert_eq!(outcome(&browser.come_back(&mixed).await), Err("OAUTH_FAILED".to_owned()));
    outcome(&browser.come_back(&second).await).unwrap_or_else(|why| {
        // A provider voids a code that somebody else tried; then it must not let in.
        assert_eq!(why, "OAUTH_FAILED");
        String::new()
    });
}

#[tokio::test]
async fn a_code_that_the_provider_does_not_know_signs_nobody_in() {
    let mesh = Mesh::from_env();
    for provider in PROVIDERS {
        let mut browser = Browser::new(&mesh);
        let page = browser.start(provider).await;
        let back = browser.decide(&page, Consent::First(&Account::new(&mesh))).await;
        let forged = browser.come_back(&with(&back, "code", "4/0Aforged")).await;
        assert_eq!(outcome(&forged), Err("OAUTH_FAILED".to_owned()), "{provider}");
        refused(&browser.come_back(&back).await, "the attempt is used up");
    }
}
