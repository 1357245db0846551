//! Signing in with a phone number and a code by SMS.

use futures_util::future::join_all;
use journeys::{Mesh, Player, Reply, within};
use serde_json::{Value, json};
use std::time::Duration;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};
use types::{Money, Msisdn};

const SENT: &str = "A confirmation code was sent to your phone number. Please enter it below.";
/// How long the journey waits before it requests another code, which is possible after a minute.
const RESEND: Duration = Duration::from_secs(70);

#[tokio::test]
async fn a_new_player_signs_in_with_the_code_of_an_sms() {
    let mesh = Mesh::from_env();
    let phone = mesh.new_phone();
    let started = mesh.start_phone(&phone).await;
    assert_eq!((started.status, started.message.as_str()), (200, SENT));
    let challenge = started.ok();
    let names: Vec<&String> = challenge.as_object().unwrap().keys().collect();
    assert_eq!(names, ["challengeId", "digits", "expiresAt", "resendAt"]);
    let (expires, resend) =
        (seconds_until(&challenge["expiresAt"]), seconds_until(&challenge["resendAt"]));
    assert!((270..=300).contains(&expires), "a code is valid for five minutes, not {expires} s");
    assert!((30..=60).contains(&resend), "the next can be requested in a minute, not {resend} s");

    let code = mesh.sandbox().code_sent_to(&phone).await;
    assert!(!challenge.to_string().contains(&code), "the reply does not contain the code");
    let session = mesh.verify_phone(&challenge, &code).await.ok();
    assert_eq!(session["isNewUser"], true);
    assert!(session["expirationTime"].is_u64());
    let player = Player::of(&mesh, "", &phone, &session);
    let first = player.get("/auth/login").await;
    assert_eq!((first.status, first.message.as_str()), (201, "You have been logged in."));
    assert_eq!(first.ok()["uid"], player.uid.as_str());
    assert_eq!(player.balance().await, Money::ZERO);
}

#[tokio::test]
async fn the_next_code_comes_after_a_minute_and_replaces_the_one_before() {
    let mesh = Mesh::from_env();
    let phone = mesh.new_phone();
    let first = mesh.start_phone(&phone).await.ok();
    let code = mesh.sandbox().code_sent_to(&phone).await;
    let player = Player::of(&mesh, "", &phone, &mesh.verify_phone(&first, &code).await.ok());
    let early = mesh.start_phone(&phone).await;
    assert_eq!(early.refusal(), (429, "RATE_LIMITED"));
    let wait: u64 = early.headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    assert_eq!(mesh.sandbox().texts_to(&phone).await.len(), 1, "nothing was sent");

    // Another spelling of the number signs in the same player.
    let spelling = Msisdn::parse(&phone).unwrap().e164();
    within(RESEND, "another code can be requested", || async {
        (seconds_until(&first["resendAt"]) < 0).then_some(())
    })
    .await;
    let again = mesh.start_phone(&spelling).await;
    let unknown = mesh.start_phone(&mesh.new_phone()).await;
    assert_same_shape(&again, &unknown);
    let second = again.ok();
    let newer = mesh.sandbox().code_sent_to(&phone).await;
    assert_eq!(mesh.sandbox().texts_to(&phone).await.len(), 2);
    let replaced = mesh.verify_phone(&first, &newer).await;
    assert_eq!(replaced.refusal(), (410, "CODE_EXPIRED"));

    let session = mesh.verify_phone(&second, &newer).await.ok();
    assert_eq!(session["uid"], player.uid.as_str());
    assert_eq!(session["isNewUser"], false);
    assert_eq!(player.profile().await["uid"], player.uid.as_str(), "the other session stays valid");
}

/// Asserts that two replies do not show which number has an account.
fn assert_same_shape(known: &Reply, unknown: &Reply) {
    assert_eq!((known.status, &known.message), (unknown.status, &unknown.message));
    let shape = |reply: &Reply| {
        let payload = reply.payload.as_object().unwrap();
        payload
            .iter()
            .map(|(name, value)| (name.clone(), value.to_string().len()))
            .collect::<Vec<_>>()
    };
    assert_eq!(shape(known), shape(unknown));
    let names = |reply: &Reply| {
        let mut names: Vec<String> = reply.headers.keys().map(ToString::to_string).collect();
        names.sort();
        names
    };
    assert_eq!(names(known), names(unknown));
}

#[tokio::test]
async fn the_limit_per_number_covers_every_spelling() {
    let mesh = Mesh::from_env();
    let phone = mesh.new_phone();
    let national = &phone[1..];
    mesh.start_phone(&phone).await.ok();
    for spelling in [
        national.to_owned(),
        format!("254{national}"),
        format!("+254{national}"),
        format!("+254 {} {} {}", &national[..3], &national[3..6], &national[6..]),
        format!("0{}-{}", &national[..3], &national[3..]),
    ] {
        // The request is limited, because a code was sent to this number a moment ago.
        let reply = mesh.start_phone(&spelling).await;
        assert_eq!(reply.refusal(), (429, "RATE_LIMITED"), "{spelling}");
    }
    assert_eq!(mesh.sandbox().texts_to(&phone).await.len(), 1);

    let newer_range = format!("01{}", &phone[2..]);
    mesh.start_phone(&newer_range).await.ok();
    assert_eq!(mesh.sandbox().texts_to(&newer_range).await.len(), 1);
}

#[tokio::test]
async fn anything_but_a_kenyan_mobile_number_is_refused() {
    let mesh = Mesh::from_env();
    let captcha = mesh.solved_captcha().await;
    let start = |phone: &str| {
        let body = json!({"phone": phone, "captcha": captcha});
        let mesh = mesh.clone();
        async move { mesh.post("/auth/phone/start", &body).await }
    };
    for phone in [
        "",
        "0",
        "12345",
        "+15550100123",
        "0201234567",
        "07123456789",
        "07123four5678",
        "0712345678\r\nBcc: 0712345679",
        "0712345678,0712345679",
        "' OR 1=1 --",
    ] {
        let reply = start(phone).await;
        assert_eq!(
            (reply.status, reply.fields()),
            (400, vec!["phone"]),
            "{phone:?}: {}",
            reply.message
        );
    }
    // A refused number does not use up the captcha.
    let phone = mesh.new_phone();
    start(&phone).await.ok();
    assert_eq!(mesh.sandbox().texts_to(&phone).await.len(), 1);
}

#[tokio::test]
async fn a_code_needs_an_unused_captcha() {
    let mesh = Mesh::from_env();
    let used = mesh.solved_captcha().await;
    let first = json!({"phone": mesh.new_phone(), "captcha": used});
    mesh.post("/auth/phone/start", &first).await.ok();
    let phone = mesh.new_phone();
    for captcha in [used.as_str(), "", "nonsense", "e30="] {
        let body = json!({"phone": phone, "captcha": captcha});
        let refused = mesh.post("/auth/phone/start", &body).await;
        assert_eq!(refused.refusal(), (400, "CAPTCHA_EXPIRED"), "{captcha:.20}");
        assert_eq!(refused.message, "CAPTCHA has expired. Please solve it again.");
    }
    assert_eq!(mesh.sandbox().texts_to(&phone).await.len(), 0, "nothing was sent");
}

#[tokio::test]
async fn five_wrong_codes_invalidate_the_right_one() {
    let mesh = Mesh::from_env();
    let phone = mesh.new_phone();
    let challenge = mesh.start_phone(&phone).await.ok();
    let code = mesh.sandbox().code_sent_to(&phone).await;
    for wrong in wrong_codes(&code, 5) {
        let reply = mesh.verify_phone(&challenge, &wrong).await;
        assert_eq!(reply.refusal(), (401, "BAD_CODE"));
        assert_eq!(reply.message, "That code is not right.");
    }
    let late = mesh.verify_phone(&challenge, &code).await;
    assert_eq!(late.refusal(), (410, "CODE_EXPIRED"));
}

#[tokio::test]
async fn of_a_hundred_guesses_at_once_five_are_checked() {
    let mesh = Mesh::from_env();
    let phone = mesh.new_phone();
    let challenge = mesh.start_phone(&phone).await.ok();
    let code = mesh.sandbox().code_sent_to(&phone).await;
    let wrong = wrong_codes(&code, 100);
    let guesses = wrong.iter().map(|guess| mesh.verify_phone(&challenge, guess));
    let replies = join_all(guesses).await;
    let checked = replies.iter().filter(|reply| reply.status == 401).count();
    assert!(checked <= 5, "{checked} guesses were checked");
    // A call that lost a race in the database may get 409 or 503; none of them signs in.
    let refused = |reply: &Reply| matches!(reply.status, 401 | 409 | 410 | 503);
    assert!(replies.iter().all(refused), "{replies:?}");
    assert_eq!(mesh.verify_phone(&challenge, &code).await.refusal(), (410, "CODE_EXPIRED"));
}

#[tokio::test]
async fn a_repeated_code_returns_the_same_unused_session() {
    let mesh = Mesh::from_env();
    let phone = mesh.new_phone();
    let challenge = mesh.start_phone(&phone).await.ok();
    let code = mesh.sandbox().code_sent_to(&phone).await;
    let tries = (0..4).map(|_| mesh.verify_phone(&challenge, &code));
    let replies = join_all(tries).await;
    // A repetition within 30 s counts as a lost reply, and returns the same session.
    let mut tokens: Vec<_> =
        replies.into_iter().map(|it| it.ok()["refreshToken"].clone()).collect();
    tokens.dedup();
    assert_eq!(tokens.len(), 1);
    mesh.post("/auth/refresh", &json!({"refreshToken": tokens[0]})).await.ok();
    let after_use = mesh.verify_phone(&challenge, &code).await;
    assert_eq!(after_use.refusal(), (410, "CODE_EXPIRED"));
}

#[tokio::test]
async fn a_code_is_bound_to_its_challenge() {
    let mesh = Mesh::from_env();
    let (mine, theirs) = (mesh.new_phone(), mesh.new_phone());
    let my_challenge = mesh.start_phone(&mine).await.ok();
    let their_challenge = mesh.start_phone(&theirs).await.ok();
    let my_code = mesh.sandbox().code_sent_to(&mine).await;
    let their_code = mesh.sandbox().code_sent_to(&theirs).await;
    if my_code != their_code {
        let swapped = mesh.verify_phone(&their_challenge, &my_code).await;
        assert_eq!(swapped.refusal(), (401, "BAD_CODE"));
    }
    for unknown in [json!(mesh.unique_id()), json!("nonsense"), json!("")] {
        let reply = mesh.verify_phone(&json!({"challengeId": unknown}), &my_code).await;
        assert!(matches!(reply.status, 400 | 410), "{unknown}: {reply:?}");
    }
    for (challenge, code) in [(my_challenge, my_code), (their_challenge, their_code)] {
        mesh.verify_phone(&challenge, &code).await.ok();
    }
}

#[tokio::test]
async fn a_number_without_sms_is_refused() {
    let mesh = Mesh::from_env();
    for failure in ["blacklisted", "invalid_number", "unsupported"] {
        let phone = mesh.new_phone();
        mesh.sandbox().set_handset(&phone, &json!({"sms": failure})).await;
        let refused = mesh.start_phone(&phone).await;
        assert_eq!(refused.refusal(), (400, "SMS_REFUSED"), "{failure}");
        assert_eq!(
            refused.message,
            "We cannot send a code to that number. Please use another one."
        );
    }
}

/// `count` different codes, none of them the right one.
fn wrong_codes(right: &str, count: u32) -> Vec<String> {
    let right: u32 = right.parse().unwrap();
    (1..=count).map(|step| format!("{:06}", (right + step) % 1_000_000)).collect()
}

fn seconds_until(time: &Value) -> i64 {
    let time = OffsetDateTime::parse(time.as_str().unwrap(), &Rfc3339).unwrap();
    (time - types::Clock::system().now()).whole_seconds()
}
