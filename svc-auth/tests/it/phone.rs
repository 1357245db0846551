//! Signing in by a code that was sent to a phone.

use std::time::Duration;

use mesh::Fault;
use proto::auth::v1::{ListProvidersRequest, UpdateProfileRequest, VerifyPhoneSignInRequest};
use time::OffsetDateTime;
use tokio::task::JoinSet;
use tonic::Code;

use crate::{
    harness::{Service, connect},
    world::{PHONE, World},
};

fn assert_bad(outcome: Result<impl std::fmt::Debug, Fault>) {
    let fault = outcome.unwrap_err();
    assert_eq!((fault.code, fault.reason.as_ref()), (Code::Unauthenticated, "BAD_CODE"));
    assert_eq!(fault.message, "That code is not right.");
}

fn assert_over(outcome: Result<impl std::fmt::Debug, Fault>) {
    let fault = outcome.unwrap_err();
    assert_eq!((fault.code, fault.reason.as_ref()), (Code::FailedPrecondition, "CODE_EXPIRED"));
}

/// A code that differs from the given one.
fn wrong(code: &str) -> &'static str {
    if code == "123456" { "123457" } else { "123456" }
}

#[tokio::test]
async fn an_unknown_number_creates_a_player_and_a_known_one_finds_them() {
    let world = World::new().await;
    let sent = world.auth.start_phone(PHONE).await.unwrap();
    let now = world.auth.clock.now().unix_timestamp();
    assert_eq!(sent.expires_at.unwrap().seconds - now, 300);
    assert_eq!(sent.resend_at.unwrap().seconds - now, 60);
    let first = world.auth.verify_phone(&sent.challenge_id, &world.code(PHONE).await).await;
    let first = first.unwrap();
    assert!(first.is_new_user);
    let profile = world.auth.profile(&first.access_token).await.unwrap().profile.unwrap();
    assert_eq!((profile.phone.as_deref(), profile.email), (Some("+254712345678"), None));

    world.auth.clock.advance(Duration::from_mins(1));
    let sent = world.auth.start_phone("+254 712 345 678").await.unwrap();
    let again = world.auth.verify_phone(&sent.challenge_id, &world.code(PHONE).await).await;
    let again = again.unwrap();
    assert_eq!((again.uid, again.is_new_user), (first.uid, false));
}

#[tokio::test]
async fn all_forms_of_a_number_are_one_phone() {
    let world = World::new().await;
    let spellings =
        ["0712345678", "712345678", "254712345678", "+254712345678", " +254 (0)712-345-678 "];
    let mut owners = Vec::new();
    for phone in spellings {
        let sent = world.auth.start_phone(phone).await.unwrap();
        let code = world.code(PHONE).await;
        owners.push(world.auth.verify_phone(&sent.challenge_id, &code).await.unwrap().uid);
        world.auth.clock.advance(Duration::from_hours(1));
    }
    owners.dedup();
    assert_eq!(owners.len(), 1);
    world.auth.start_phone("0112345678").await.unwrap();
    assert_eq!(world.texts("+254112345678").await.len(), 1, "the 01 range has phones, too");
}

#[tokio::test]
async fn an_invalid_number_is_refused_and_spends_no_captcha() {
    let world = World::new().await;
    let captcha = world.auth.captcha().await;
    for (phone, text) in [
        ("", "Please enter your phone number."),
        ("  ", "Please enter your phone number."),
        ("0202345678", "Please enter a valid phone number."),
        ("+255712345678", "Please enter a valid phone number."),
        ("0712345678,0722345678", "Please enter a valid phone number."),
        ("0712345678\r\nto: 0722345678", "Please enter a valid phone number."),
    ] {
        let fault = world.auth.start_phone_with(phone, captcha.clone()).await.unwrap_err();
        assert_eq!(fault.wrong_fields(), [("phone", text)]);
    }
    world.auth.start_phone_with(PHONE, captcha).await.unwrap();
}

#[tokio::test]
async fn a_captcha_pays_for_one_code() {
    let world = World::new().await;
    let captcha = world.auth.captcha().await;
    world.auth.start_phone_with(PHONE, captcha.clone()).await.unwrap();
    for captcha in [captcha, String::new()] {
        let fault = world.auth.start_phone_with("0722345678", captcha).await.unwrap_err();
        assert_eq!(fault.reason, "CAPTCHA_EXPIRED");
    }
    assert!(world.texts("0722345678").await.is_empty());
}

#[tokio::test]
async fn a_text_is_one_message_with_the_line_for_browsers() {
    let world = World::new().await;
    world.auth.start_phone(PHONE).await.unwrap();
    let text = world.texts(PHONE).await.remove(0);
    assert!(text.len() <= 160 && text.is_ascii(), "{text}");
    let code = world.code(PHONE).await;
    assert_eq!(text.lines().last(), Some(format!("@playon.example #{code}").as_str()));
    assert!(text.starts_with(&code), "{text}");
}

#[tokio::test]
async fn after_five_wrong_codes_the_right_one_is_refused() {
    let world = World::new().await;
    let sent = world.auth.start_phone(PHONE).await.unwrap();
    let code = world.code(PHONE).await;
    for _ in 0..5 {
        assert_bad(world.auth.verify_phone(&sent.challenge_id, wrong(&code)).await);
    }
    assert_over(world.auth.verify_phone(&sent.challenge_id, &code).await);
    world.auth.clock.advance(Duration::from_mins(1));
    let sent = world.auth.start_phone(PHONE).await.unwrap();
    world.auth.verify_phone(&sent.challenge_id, &world.code(PHONE).await).await.unwrap();
}

#[tokio::test]
async fn the_fifth_guess_may_be_right() {
    let world = World::new().await;
    let sent = world.auth.start_phone(PHONE).await.unwrap();
    let code = world.code(PHONE).await;
    for _ in 0..4 {
        assert_bad(world.auth.verify_phone(&sent.challenge_id, wrong(&code)).await);
    }
    world.auth.verify_phone(&sent.challenge_id, &code).await.unwrap();
}

#[tokio::test]
async fn of_a_hundred_concurrent_guesses_five_are_compared() {
    let world = World::new().await;
    let sent = world.auth.start_phone(PHONE).await.unwrap();
    let guess = wrong(&world.code(PHONE).await);
    let mut guesses = JoinSet::new();
    for _ in 0..100 {
        let mut client = world.auth.auth.clone();
        let request = VerifyPhoneSignInRequest {
            challenge_id: sent.challenge_id.clone(),
            code: guess.to_owned(),
            ..Default::default()
        };
        guesses.spawn(async move {
            let status = client.verify_phone_sign_in(request).await.unwrap_err();
            Fault::from_status(&status).reason
        });
    }
    // Another player signs in meanwhile: the guesses leave connections of the pool to others.
    let other = world.auth.start_phone("0722000001").await.unwrap();
    let code = world.code("0722000001").await;
    world.auth.verify_phone(&other.challenge_id, &code).await.unwrap();
    let reasons = guesses.join_all().await;
    let looked_at = reasons.iter().filter(|reason| *reason == "BAD_CODE").count();
    assert_eq!(looked_at, 5, "{reasons:?}");
    // Most of a hundred are refused without a look at the code.
    let others = ["BAD_CODE", "CODE_EXPIRED", "CONFLICT"];
    assert!(reasons.iter().all(|reason| others.contains(&reason.as_ref())), "{reasons:?}");
}

#[tokio::test]
async fn concurrent_calls_with_one_code_open_one_session() {
    let world = World::new().await;
    let sent = world.auth.start_phone(PHONE).await.unwrap();
    let code = world.code(PHONE).await;
    let verify = || world.auth.verify_phone(&sent.challenge_id, &code);
    let (a, b, c) = tokio::join!(verify(), verify(), verify());
    let [a, b, c] = [a, b, c].map(|session| session.unwrap().refresh_token);
    assert!(a == b && b == c, "each call gets the same session");
    world.auth.clock.advance(Duration::from_secs(30));
    assert_over(verify().await);
}

#[tokio::test]
async fn a_code_expires_after_five_minutes() {
    let world = World::new().await;
    let sent = world.auth.start_phone(PHONE).await.unwrap();
    let code = world.code(PHONE).await;
    world.auth.clock.advance(Duration::from_mins(5));
    assert_over(world.auth.verify_phone(&sent.challenge_id, &code).await);
}

#[tokio::test]
async fn a_newer_code_voids_the_older() {
    let world = World::new().await;
    let first = world.auth.start_phone(PHONE).await.unwrap();
    let old = world.code(PHONE).await;
    world.auth.clock.advance(Duration::from_mins(1));
    let second = world.auth.start_phone(PHONE).await.unwrap();
    assert_over(world.auth.verify_phone(&first.challenge_id, &old).await);
    world.auth.verify_phone(&second.challenge_id, &world.code(PHONE).await).await.unwrap();
}

#[tokio::test]
async fn a_code_is_valid_for_its_own_challenge_alone() {
    let world = World::new().await;
    let mine = world.auth.start_phone(PHONE).await.unwrap();
    let code = world.code(PHONE).await;
    let others = world.auth.start_phone("0722345678").await.unwrap();
    // Two codes are the same once in a million runs, which proves nothing.
    if world.code("0722345678").await != code {
        assert_bad(world.auth.verify_phone(&others.challenge_id, &code).await);
    }
    world.auth.verify_phone(&mine.challenge_id, &code).await.unwrap();
}

#[tokio::test]
async fn malformed_challenges_and_codes_are_refused_and_not_counted() {
    let world = World::new().await;
    let sent = world.auth.start_phone(PHONE).await.unwrap();
    let code = world.code(PHONE).await;
    for challenge in ["", "x", "0193a4f0-0000-7000-8000-00000000beef", "' OR 1=1 --"] {
        assert_over(world.auth.verify_phone(challenge, &code).await);
    }
    for text in ["", "12345", "1234567", "abcdef", "12 456", &"1".repeat(10_000)] {
        assert_bad(world.auth.verify_phone(&sent.challenge_id, text).await);
    }
    let pasted = format!(" {code}\n");
    world.auth.verify_phone(&sent.challenge_id, &pasted).await.unwrap();
}

#[tokio::test]
async fn codes_and_numbers_are_not_stored_in_plain_text() {
    let world = World::new().await;
    world.auth.start_phone(PHONE).await.unwrap();
    let code = world.code(PHONE).await;
    let mut conn = connect(&world.auth.database).await;
    let rows: Vec<String> = sqlx::query_scalar(
        "SELECT (to_jsonb(c) - 'id' - 'created_at' - 'expires_at')::text FROM phone_challenge c
         UNION ALL SELECT (to_jsonb(g) - 'sent' - 'expires_at')::text FROM code_rate_limit g",
    )
    .fetch_all(&mut conn)
    .await
    .unwrap();
    assert_eq!(rows.len(), 2);
    assert!(rows.iter().all(|row| !row.contains(&code)), "{rows:?}");
    assert!(!rows[1].contains("712345678"), "the rate limit contains the number: {}", rows[1]);
}

#[tokio::test]
async fn without_a_provider_phone_sign_in_is_switched_off() {
    let auth = Service::start().await;
    let fault = auth.start_phone(PHONE).await.unwrap_err();
    assert_eq!((fault.code, fault.reason.as_ref()), (Code::FailedPrecondition, "PROVIDER_OFF"));
    for (auth, on) in [(&auth, false), (&World::new().await.auth, true)] {
        let reply = auth.auth.clone().list_providers(ListProvidersRequest {}).await;
        assert_eq!(reply.unwrap().into_inner().phone, on);
    }
}

#[tokio::test]
async fn a_phone_in_a_profile_is_not_a_credential() {
    let world = World::new().await;
    let (_, wanjiru) = world.player("wanjiru").await;
    let change = UpdateProfileRequest { phone: Some(PHONE.to_owned()), ..Default::default() };
    world.auth.update(&wanjiru, change).await.unwrap();
    let sent = world.auth.start_phone(PHONE).await.unwrap();
    let owner = world.auth.verify_phone(&sent.challenge_id, &world.code(PHONE).await).await;
    assert_ne!(owner.unwrap().uid, wanjiru.uid);
}

#[tokio::test]
async fn a_phone_has_one_valid_code() {
    let world = World::new().await;
    for _ in 0..3 {
        world.auth.start_phone(PHONE).await.unwrap();
        world.auth.clock.advance(Duration::from_mins(10));
    }
    let mut conn = connect(&world.auth.database).await;
    let ended: Vec<Option<OffsetDateTime>> =
        sqlx::query_scalar("SELECT ended_at FROM phone_challenge ORDER BY created_at")
            .fetch_all(&mut conn)
            .await
            .unwrap();
    assert_eq!(ended.iter().filter(|at| at.is_none()).count(), 1);
    assert_eq!(ended.last(), Some(&None));
}
