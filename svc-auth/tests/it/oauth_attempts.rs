//! An attempt belongs to one browser and one provider, and opens one session.

use std::time::Duration;

use mesh::Fault;
use proto::auth::v1::{OAuthProvider, StartOAuthRequest, finish_o_auth_request::Answer};
use serde_json::json;
use tonic::Code;

use crate::{
    harness::{connect, fault},
    social::{Back, Facebook, Google, Social},
};

async fn world() -> Social {
    let world = Social::new().await;
    for provider in [Google, Facebook] {
        world.account(provider, "mary@gmail.com", json!({})).await;
    }
    world
}

fn assert_state(outcome: Result<String, Fault>, what: &str) {
    let fault = outcome.unwrap_err();
    assert_eq!(
        (fault.code, fault.reason.as_ref()),
        (Code::InvalidArgument, "OAUTH_STATE"),
        "{what}"
    );
}

#[tokio::test]
async fn a_state_of_another_browser_is_refused() {
    let world = world().await;
    let (mine, other) = (
        world.come_back(Google, "mary@gmail.com").await,
        world.come_back(Google, "mary@gmail.com").await,
    );
    let unknown = "A".repeat(43);
    for (what, back) in [
        ("no state", Back { state: String::new(), ..mine.clone() }),
        ("a forged state", Back { state: unknown.clone(), ..mine.clone() }),
        ("what was never one", Back { state: "x' OR 1=1 --".to_owned(), ..mine.clone() }),
        ("no browser", Back { browser_secret: String::new(), ..mine.clone() }),
    ] {
        assert_state(world.finish(back).await, what);
    }
    let swapped = Back { browser_secret: other.browser_secret.clone(), ..mine.clone() };
    assert_state(world.finish(swapped).await, "another browser's secret");
    assert_state(world.finish(mine).await, "the attempt was consumed");
    world.finish(other).await.unwrap();
}

#[tokio::test]
async fn a_state_is_accepted_once_by_concurrent_calls() {
    let world = world().await;
    let back = world.come_back(Google, "mary@gmail.com").await;
    let (a, b) = tokio::join!(world.finish(back.clone()), world.finish(back.clone()));
    let (won, lost): (Vec<_>, Vec<_>) = [a, b].into_iter().partition(Result::is_ok);
    assert_eq!((won.len(), lost.len()), (1, 1));
    assert_state(lost.into_iter().next().unwrap(), "the other one");
    assert_state(world.finish(back).await, "a replay");
}

#[tokio::test]
async fn an_attempt_expires_after_ten_minutes() {
    let world = world().await;
    let (in_time, late) = (
        world.come_back(Facebook, "mary@gmail.com").await,
        world.come_back(Facebook, "mary@gmail.com").await,
    );
    world.auth.clock.advance(Duration::from_secs(10 * 60 - 1));
    world.finish(in_time).await.unwrap();
    world.auth.clock.advance(Duration::from_secs(1));
    assert_state(world.finish(late).await, "ten minutes later");
}

#[tokio::test]
async fn an_answer_is_refused_at_another_providers_callback() {
    let world = world().await;
    let back = world.come_back(Google, "mary@gmail.com").await;
    assert_state(world.finish(Back { provider: Facebook, ..back }).await, "Facebook's callback");
}

/// A stolen code in another browser's attempt: PKCE's verifier is not the
/// code's.
#[tokio::test]
async fn a_code_of_another_attempt_is_refused() {
    let world = world().await;
    for provider in [Google, Facebook] {
        let victim = world.come_back(provider, "mary@gmail.com").await;
        let thief = world.come_back(provider, "mary@gmail.com").await;
        let stolen = Back { answer: victim.answer, ..thief };
        let fault = world.finish(stolen).await.unwrap_err();
        assert_eq!(fault.reason, "OAUTH_FAILED");
    }
}

#[tokio::test]
async fn a_declined_sign_in_is_refused_and_ends_the_attempt() {
    let world = world().await;
    for provider in [Google, Facebook] {
        let started = world.start(provider).await.unwrap();
        let back = world.decide(&started, json!({ "deny": "1" })).await;
        let fault = world.finish(back.clone()).await.unwrap_err();
        assert_eq!((fault.code, fault.reason.as_ref()), (Code::PermissionDenied, "OAUTH_DENIED"));
        assert_eq!(fault.message, "You cancelled the sign-in.");
        assert_state(world.finish(back).await, "again");
    }
}

#[tokio::test]
async fn other_answers_are_refused() {
    let world = world().await;
    for (answer, reason) in [
        (None, "OAUTH_FAILED"),
        (Some(Answer::Error("server_error".to_owned())), "OAUTH_FAILED"),
        (Some(Answer::Error("temporarily_unavailable".to_owned())), "UNAVAILABLE"),
        (Some(Answer::Code(String::new())), "OAUTH_FAILED"),
        (Some(Answer::Code("made up".to_owned())), "OAUTH_FAILED"),
        (Some(Answer::Code("x".repeat(100_000))), "OAUTH_FAILED"),
    ] {
        let back = world.come_back(Google, "mary@gmail.com").await;
        let fault = world.finish(Back { answer: answer.clone(), ..back }).await.unwrap_err();
        assert_eq!(fault.reason, reason, "{answer:?}");
    }
    // Without an attempt every answer gets the same refusal.
    let unknown = Back {
        provider: Google,
        state: "A".repeat(43),
        browser_secret: "A".repeat(43),
        answer: Some(Answer::Error("access_denied".to_owned())),
    };
    assert_state(world.finish(unknown).await, "a denial without an attempt");
}

#[tokio::test]
async fn an_unspecified_provider_is_refused() {
    let world = Social::new().await;
    for provider in [0, 99] {
        let request = StartOAuthRequest { provider };
        let reply = world.auth.auth.clone().start_o_auth(request).await;
        let fault = reply.map_err(fault).unwrap_err();
        assert_eq!((fault.code, &*fault.fields[0].name), (Code::InvalidArgument, "provider"));
    }
    assert_eq!(OAuthProvider::Unspecified as i32, 0);
}

#[tokio::test]
async fn an_exchange_code_opens_one_session_within_a_minute() {
    let world = world().await;
    let finish =
        || async { world.finish(world.come_back(Facebook, "mary@gmail.com").await).await.unwrap() };
    let (once, late) = (finish().await, finish().await);
    world.auth.clock.advance(Duration::from_secs(59));
    world.exchange(&once).await.unwrap();
    // Within 30 s a retry gets the same session.
    world.auth.clock.advance(Duration::from_secs(30));
    for (what, code) in
        [("twice", once), ("late", late), ("forged", "A".repeat(43)), ("no code", String::new())]
    {
        let fault = world.exchange(&code).await.unwrap_err();
        assert_eq!(
            (fault.code, fault.reason.as_ref()),
            (Code::FailedPrecondition, "OAUTH_EXPIRED"),
            "{what}"
        );
        assert_eq!(fault.message, "That sign-in took too long. Please try again.");
    }
}

#[tokio::test]
async fn concurrent_exchanges_of_one_code_open_one_session() {
    let world = world().await;
    let code = world.finish(world.come_back(Google, "mary@gmail.com").await).await.unwrap();
    let (a, b) = tokio::join!(world.exchange(&code), world.exchange(&code));
    assert_eq!(a.unwrap().refresh_token, b.unwrap().refresh_token);
}

#[tokio::test]
async fn no_credential_is_stored_in_plain_text() {
    use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};

    let world = world().await;
    let started = world.start(Google).await.unwrap();
    let code = world.finish(world.come_back(Google, "mary@gmail.com").await).await.unwrap();
    let rows: Vec<String> = sqlx::query_scalar(
        "SELECT to_jsonb(t)::text FROM oauth_attempt t
         UNION ALL SELECT to_jsonb(t)::text FROM oauth_exchange t",
    )
    .fetch_all(&mut connect(&world.auth.database).await)
    .await
    .unwrap();
    assert_eq!(rows.len(), 2, "an open attempt and an open exchange");
    for secret in [&started.state, &started.browser_secret, &code] {
        let bytes = URL_SAFE_NO_PAD.decode(secret).unwrap();
        let hex = bytes.iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"));
        assert!(rows.iter().all(|row| !row.contains(&hex)), "a secret in plain text");
    }
}
