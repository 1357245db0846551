//! Signing in with Google or Facebook, as a browser sees it.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use mesh::Fault;
use proto::auth::v1::{
    ConfirmOAuthJoinRequest, ExchangeOAuthRequest, FinishOAuthRequest, OAuthProvider,
    StartOAuthJoinRequest, StartOAuthRequest, finish_o_auth_request::Answer,
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tonic::{Code, Status};

use crate::{
    stub::identity::{BROWSER_SECRET, STATE},
    world::{Answer as Reply, World, read},
};

const GOOGLE: &str = "/api/auth/oauth/google";
/// [`STATE`] in a query.
const STATE_QUERY: &str = "state=state%2B%2F%3D";

/// Begins a sign-in; returns the cookie.
async fn begin(world: &World, query: &str) -> String {
    let answer = read(world.get(&format!("{GOOGLE}/start{query}"))).await;
    assert_eq!(answer.status, 302);
    let cookie = answer.header("set-cookie").unwrap();
    cookie.split(';').next().unwrap().to_owned()
}

async fn call_back(world: &World, cookie: &str, query: &str) -> Reply {
    let path = format!("{GOOGLE}/callback?{query}");
    read(world.get(&path).header("cookie", cookie)).await
}

/// The message that the page posts to the app.
fn message(page: &Reply) -> Value {
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    let message = page.text().split("data-message=\"").nth(1).unwrap();
    let message = message.split('"').next().unwrap();
    serde_json::from_str(&message.replace("&quot;", "\"").replace("&#39;", "'")).unwrap()
}

fn refusal(code: Code, reason: &'static str) -> Status {
    Fault::new(code, reason).into()
}

#[tokio::test]
async fn a_pop_up_goes_to_the_provider_and_ends_on_a_page_that_posts_the_code() {
    let world = World::new().await;
    let answer = read(world.get(&format!("{GOOGLE}/start"))).await;
    assert_eq!(answer.status, 302);
    assert_eq!(answer.header("location"), Some("https://provider.example/authorize?state=state"));
    let cookie = answer.header("set-cookie").unwrap();
    for part in ["; HttpOnly", "; SameSite=Lax", "; Secure", "; Path=/", "; Max-Age=600"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let google: i32 = OAuthProvider::Google.into();
    assert_eq!(world.stub.received::<StartOAuthRequest>()[0].1.provider, google);

    let kept = cookie.split(';').next().unwrap();
    let page = call_back(&world, kept, &format!("{STATE_QUERY}&code=c%26-1")).await;
    assert_eq!(page.status, 200);
    assert_eq!(message(&page), json!({"source": "playon-oauth", "code": "exchange-1"}));
    let expected = FinishOAuthRequest {
        provider: google,
        state: STATE.into(),
        browser_secret: BROWSER_SECRET.into(),
        answer: Some(Answer::Code("c&-1".into())),
    };
    assert_eq!(world.stub.received::<FinishOAuthRequest>()[0].1, expected);
    let over = page.header("set-cookie").unwrap();
    assert!(over.starts_with(kept.split('=').next().unwrap()) && over.contains("Max-Age=0"));

    let answer =
        read(world.send("POST", "/api/auth/oauth/exchange", r#"{"code":"exchange-1"}"#)).await;
    assert_eq!(answer.payload()["uid"], "u-1");
    let received = world.stub.received::<ExchangeOAuthRequest>();
    assert_eq!(received[0].1.exchange_code, "exchange-1");
}

#[tokio::test]
async fn a_mailed_code_joins_the_account_of_a_provider() {
    let world = World::new().await;
    let start = r#"{"code":"exchange-1"}"#;
    let answer = read(world.send("POST", "/api/auth/oauth/join", start)).await;
    assert_eq!(answer.payload()["emailHint"], "a•••@b.ke");
    assert_eq!(world.stub.received::<StartOAuthJoinRequest>()[0].1.exchange_code, "exchange-1");

    let confirm = r#"{"code":"exchange-1","emailCode":"123456"}"#;
    let request = world.send("POST", "/api/auth/oauth/join/confirm", confirm);
    let answer = read(request.header("cookie", "__Host-playon-device=d-1")).await;
    assert_eq!(answer.payload()["uid"], "u-1");
    let expected = ConfirmOAuthJoinRequest {
        exchange_code: "exchange-1".into(),
        code: "123456".into(),
        device_token: "d-1".into(),
    };
    assert_eq!(world.stub.received::<ConfirmOAuthJoinRequest>()[0].1, expected);
}

#[tokio::test]
async fn facebook_works_alike_and_other_providers_are_not_found() {
    let world = World::new().await;
    let answer = read(world.get("/api/auth/oauth/facebook/start")).await;
    assert_eq!(answer.status, 302);
    let facebook: i32 = OAuthProvider::Facebook.into();
    assert_eq!(world.stub.received::<StartOAuthRequest>()[0].1.provider, facebook);
    for path in ["/api/auth/oauth/apple/start", "/api/auth/oauth/apple/callback"] {
        assert_eq!(read(world.get(path)).await.refusal(), (404, "NOT_FOUND".into()));
    }
}

#[tokio::test]
async fn the_page_runs_its_own_script_and_no_other() {
    let world = World::new().await;
    let page = call_back(&world, "", STATE_QUERY).await;
    let policy = page.header("content-security-policy").unwrap();
    let html = page.text();
    for (tag, directive) in [("script", "script-src"), ("style", "style-src")] {
        assert_eq!(html.matches(&format!("<{tag}")).count(), 1);
        let inline = html.split(&format!("<{tag}>")).nth(1).unwrap();
        let inline = inline.split(&format!("</{tag}>")).next().unwrap();
        let hash = STANDARD.encode(Sha256::digest(inline));
        assert!(policy.contains(&format!("{directive} 'sha256-{hash}'")), "{policy}");
    }
    assert!(policy.starts_with("default-src 'none'; ") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(page.header("cross-origin-opener-policy"), Some("unsafe-none"));
    assert_eq!(page.header("cache-control"), Some("no-store"));
    assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    // The app's own pages keep the link to the pop-up.
    let app = read(world.get("/").header("accept", "text/html")).await;
    assert_eq!(app.header("cross-origin-opener-policy"), Some("same-origin-allow-popups"));
}

#[tokio::test]
async fn each_error_has_its_reason_and_our_text() {
    let world = World::new().await;
    for (refused, code, status, text) in [
        (
            refusal(Code::PermissionDenied, "OAUTH_DENIED"),
            "OAUTH_DENIED",
            403,
            "You cancelled the sign-in.",
        ),
        (
            refusal(Code::InvalidArgument, "OAUTH_STATE"),
            "OAUTH_STATE",
            400,
            "That sign-in did not start in this browser, or took too long. Please try again.",
        ),
        (
            refusal(Code::Unauthenticated, "OAUTH_FAILED"),
            "OAUTH_FAILED",
            401,
            "We could not sign you in with Google. Please try again.",
        ),
        (
            refusal(Code::FailedPrecondition, "PROVIDER_OFF"),
            "PROVIDER_OFF",
            422,
            "Google sign-in is switched off for now. Please sign in another way.",
        ),
        (
            Status::internal("connection to google refused"),
            "UNAVAILABLE",
            503,
            "We cannot do that right now. Please try again in a moment.",
        ),
    ] {
        world.stub.allow();
        let cookie = begin(&world, "").await;
        let back = begin(&world, "?redirect=/games").await;
        world.stub.refuse(refused);
        let error = json!({"source": "playon-oauth", "error": {"code": code, "message": text}});
        for page in [
            call_back(&world, &cookie, &format!("{STATE_QUERY}&code=c")).await,
            read(world.get(&format!("{GOOGLE}/start"))).await,
        ] {
            assert_eq!(page.status, status, "{code}");
            assert_eq!(message(&page), error);
            assert!(page.text().contains(&format!("<p>{text}</p>")));
        }
        let there = format!("/games#oauth_error={code}");
        for answer in [
            call_back(&world, &back, &format!("{STATE_QUERY}&code=c")).await,
            read(world.get(&format!("{GOOGLE}/start?redirect=/games"))).await,
        ] {
            assert_eq!((answer.status.as_u16(), answer.header("location")), (303, Some(&*there)));
        }
    }
}

#[tokio::test]
async fn with_a_redirect_the_tab_itself_returns_to_the_page() {
    let world = World::new().await;
    let cookie = begin(&world, "?redirect=%2Fgames%2F7%3Ffrom%3Dhome").await;
    let answer = call_back(&world, &cookie, &format!("{STATE_QUERY}&code=c")).await;
    assert_eq!(answer.status, 303);
    assert_eq!(answer.header("location"), Some("/games/7?from=home#oauth=exchange-1"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert!(answer.body.is_empty());
}

#[tokio::test]
async fn the_pages_of_a_sign_in_are_in_the_language_that_was_chosen_in_the_app() {
    let world = World::new().await;
    let provider = "https://provider.example/authorize?state=state";
    for (query, asked, lang, text) in [
        ("?language=sw", "&hl=sw", "sw", "Umeingia. Unaweza kufunga dirisha hili."),
        ("?language=en", "&hl=en", "en", "You are signed in. You can close this window."),
        // Without a supported language, the provider chooses its own, and our page uses the
        // browser's.
        ("?language=fr", "", "en", "You are signed in. You can close this window."),
        ("?language=sw%26prompt=none", "", "en", "You are signed in. You can close this window."),
        ("", "", "en", "You are signed in. You can close this window."),
    ] {
        let start = read(world.get(&format!("{GOOGLE}/start{query}"))).await;
        assert_eq!(start.header("location"), Some(&*format!("{provider}{asked}")), "{query}");
        let cookie = start.header("set-cookie").unwrap().split(';').next().unwrap();
        let page = call_back(&world, cookie, &format!("{STATE_QUERY}&code=c")).await;
        assert!(page.text().contains(&format!("<html lang=\"{lang}\">")), "{query}");
        assert!(page.text().contains(&format!("<p>{text}</p>")), "{query}");
        // Mails that the sign-in causes are in the app's language, too.
        let (metadata, _) = world.stub.received::<FinishOAuthRequest>().pop().unwrap();
        let asked = metadata.get("accept-language").map(|value| value.to_str().unwrap());
        assert_eq!(asked.unwrap_or("en"), lang, "{query}");
    }
    let facebook = read(world.get("/api/auth/oauth/facebook/start?language=sw")).await;
    assert_eq!(facebook.header("location"), Some(provider));
}

#[tokio::test]
async fn a_sign_in_that_fails_says_why_in_the_language_that_was_chosen_in_the_app() {
    let world = World::new().await;
    let cookie = begin(&world, "?language=sw").await;
    world.stub.refuse(refusal(Code::PermissionDenied, "OAUTH_DENIED"));
    let start = format!("{GOOGLE}/start?language=sw");
    for page in [
        call_back(&world, &cookie, &format!("{STATE_QUERY}&error=access_denied")).await,
        read(world.get(&start).header("accept-language", "en-GB")).await,
    ] {
        assert_eq!(message(&page)["error"]["message"], "Umeghairi kuingia.");
    }
}

#[tokio::test]
async fn a_redirect_to_another_origin_is_refused() {
    let world = World::new().await;
    for redirect in [
        "https://evil.example",
        "//evil.example",
        "/%5Cevil.example",
        "%5C%5Cevil.example",
        "/%09/evil.example",
        "/%0d%0aLocation:%20https://evil.example",
        "/%0a/evil.example",
        "%20//evil.example",
        "/.//evil.example",
        "/..%2F/evil.example",
        "/%252e%252e//evil.example",
        "/x%23oauth=forged",
        "javascript:alert(1)",
        "/%e2%80%a8/evil.example",
        "/%ff/evil.example",
        "",
        "/api/auth/oauth/google/start",
    ] {
        let answer = read(world.get(&format!("{GOOGLE}/start?redirect={redirect}"))).await;
        assert_eq!(answer.refusal(), (400, "INVALID_ARGUMENT".into()), "{redirect}");
        assert_eq!(answer.wrong_fields(), ["redirect"]);
        assert_eq!(answer.header("location"), None);
    }
    assert!(world.stub.received::<StartOAuthRequest>().is_empty());
}

#[tokio::test]
async fn an_attempt_is_valid_in_its_own_browser_alone() {
    let world = World::new().await;
    let cookie = begin(&world, "").await;
    let (name, value) = cookie.split_once('=').unwrap();
    for (what, cookie, query) in [
        ("no cookie", String::new(), STATE_QUERY),
        ("another's state", cookie.clone(), "state=other"),
        ("no state", cookie.clone(), ""),
        ("a cookie of another state", format!("{name}x={value}"), STATE_QUERY),
        ("nonsense", format!("{name}=%%%"), STATE_QUERY),
        ("a way out", format!("{name}={value}.{}", STANDARD.encode("//evil.example")), STATE_QUERY),
    ] {
        let page = call_back(&world, &cookie, &format!("{query}&code=c")).await;
        assert_eq!(message(&page)["error"]["code"], "OAUTH_STATE", "{what}");
        assert_eq!(page.status, 400, "{what}");
        assert_eq!(page.header("location"), None, "{what}");
    }
    assert!(world.stub.received::<FinishOAuthRequest>().is_empty());
}

#[tokio::test]
async fn a_providers_error_is_passed_to_svc_auth_and_not_shown() {
    let world = World::new().await;
    let cookie = begin(&world, "").await;
    let query = format!(
        "{STATE_QUERY}&error=%3Cscript%3Ealert(1)%3C/script%3E&error_description=call%20555-EVIL"
    );
    world.stub.refuse(refusal(Code::PermissionDenied, "OAUTH_DENIED"));
    let page = call_back(&world, &cookie, &query).await;
    assert!(!page.text().contains("alert(1)") && !page.text().contains("EVIL"));
    let (_, received) = world.stub.received::<FinishOAuthRequest>().remove(0);
    assert_eq!(received.answer, Some(Answer::Error("<script>alert(1)</script>".into())));
}
