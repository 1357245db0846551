//! The way in by a phone number and the code that is sent to it.

use futures_util::future::join_all;
use journeys::{Mesh, Player, Reply, within};
use serde_json::{Value, json};
use std::time::Duration;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};
use types::{Money, Msisdn};

const SENT: &str = "A confirmation code was sent to your phone number. Please enter it below.";
/// A code is asked for again after a minute at the earliest.
const RESEND: Duration = Duration::from_secs(70);

#[tokio::test]
async fn a_newcomer_comes_in_by_the_code_on_their_phone() {
    let mesh = Mesh::from_env();
    let phone = mesh.new_phone();
    let started = mesh.start_phone(&phone).await;
    assert_eq!((started.status, started.message.as_str()), (200, SENT));
    let challenge = started.ok();
    let names: Vec<&String> = challenge.as_object().unwrap().keys().collect();
    assert_eq!(names, ["challengeId", "expiresAt", "resendAt"]);
    let (expires, resend) =
        (seconds_until(&challenge["expiresAt"]), seconds_until(&challenge["resendAt"]));
    assert!((270..=300).contains(&expires), "a code is good for five minutes, not {expires} s");
    assert!((30..=60).contains(&resend), "the next may be asked for in a minute, not {resend} s");

    let code = mesh.sandbox().code_sent_to(&phone).await;
    assert!(!challenge.to_string().contains(&code), "the code goes to the phone alone");
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
async fn the_next_code_comes_after_a_minute_and_voids_the_one_before() {
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

    // Another spelling is the same number, and the same player.
    let spelling = Msisdn::parse(&phone).unwrap().e164();
    within(RESEND, "another code may be asked for", || async {
        (seconds_until(&first["resendAt"]) < 0).then_some(())
    })
    .await;
    let again = mesh.start_phone(&spelling).await;
    let unknown = mesh.start_phone(&mesh.new_phone()).await;
    alike(&again, &unknown);
    let second = again.ok();
    let newer = mesh.sandbox().code_sent_to(&phone).await;
    assert_eq!(mesh.sandbox().texts_to(&phone).await.len(), 2);
    let voided = mesh.verify_phone(&first, &newer).await;
    assert_eq!(voided.refusal(), (410, "CODE_EXPIRED"));

    let session = mesh.verify_phone(&second, &newer).await.ok();
    assert_eq!(session["uid"], player.uid.as_str());
    assert_eq!(session["isNewUser"], false);
    assert_eq!(player.profile().await["uid"], player.uid.as_str(), "the other device stays in");
}

/// Whether a number has an account is told to nobody.
fn alike(known: &Reply, unknown: &Reply) {
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
async fn every_spelling_of_a_number_is_the_same_number() {
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
        // A code was sent a moment ago: to this number, however it is written.
        let reply = mesh.start_phone(&spelling).await;
        assert_eq!(reply.refusal(), (429, "RATE_LIMITED"), "{spelling}");
    }
    assert_eq!(mesh.sandbox().texts_to(&phone).await.len(), 1);

    let newer_range = format!("01{}", &phone[2..]);
    mesh.start_phone(&newer_range).await.ok();
    assert_eq!(mesh.sandbox().texts_to(&newer_range).await.len(), 1);
}

#[tokio::test]
async fn what_is_no_kenyan_mobile_number_gets_no_code() {
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
    // A slip of the finger has not used the captcha up.
    let phone = mesh.new_phone();
    start(&phone).await.ok();
    assert_eq!(mesh.sandbox().texts_to(&phone).await.len(), 1);
}

#[tokio::test]
async fn a_code_costs_a_captcha() {
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
async fn five_wrong_codes_burn_the_right_one() {
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
async fn a_hundred_guesses_at_once_are_five() {
    let mesh = Mesh::from_env();
    let phone = mesh.new_phone();
    let challenge = mesh.start_phone(&phone).await.ok();
    let code = mesh.sandbox().code_sent_to(&phone).await;
    let wrong = wrong_codes(&code, 100);
    let guesses = wrong.iter().map(|guess| mesh.verify_phone(&challenge, guess));
    let replies = join_all(guesses).await;
    let judged = replies.iter().filter(|reply| reply.status == 401).count();
    assert!(judged <= 5, "{judged} guesses were looked at");
    // Those that lose a race may be asked to come again; none gets in.
    assert!(replies.iter().all(|reply| matches!(reply.status, 401 | 410 | 503)), "{replies:?}");
    assert_eq!(mesh.verify_phone(&challenge, &code).await.refusal(), (410, "CODE_EXPIRED"));
}

#[tokio::test]
async fn a_code_opens_one_session() {
    let mesh = Mesh::from_env();
    let phone = mesh.new_phone();
    let challenge = mesh.start_phone(&phone).await.ok();
    let code = mesh.sandbox().code_sent_to(&phone).await;
    let tries = (0..4).map(|_| mesh.verify_phone(&challenge, &code));
    let replies = join_all(tries).await;
    // Whoever sends it again a moment later lost the reply, and is given the same session.
    let mut tokens: Vec<_> =
        replies.into_iter().map(|it| it.ok()["refreshToken"].clone()).collect();
    tokens.dedup();
    assert_eq!(tokens.len(), 1);
    mesh.post("/auth/refresh", &json!({"refreshToken": tokens[0]})).await.ok();
    let replayed = mesh.verify_phone(&challenge, &code).await;
    assert_eq!(replayed.refusal(), (410, "CODE_EXPIRED"));
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
    for unknown in [json!(mesh.new_name()), json!("nonsense"), json!("")] {
        let reply = mesh.verify_phone(&json!({"challengeId": unknown}), &my_code).await;
        assert!(matches!(reply.status, 400 | 410), "{unknown}: {reply:?}");
    }
    for (challenge, code) in [(my_challenge, my_code), (their_challenge, their_code)] {
        mesh.verify_phone(&challenge, &code).await.ok();
    }
}

#[tokio::test]
async fn a_number_that_takes_no_messages_is_told_so() {
    let mesh = Mesh::from_env();
    for trouble in ["blacklisted", "invalid_number", "unsupported"] {
        let phone = mesh.new_phone();
        mesh.sandbox().set_handset(&phone, &json!({"sms": trouble})).await;
        let refused = mesh.start_phone(&phone).await;
        assert_eq!(refused.refusal(), (400, "SMS_REFUSED"), "{trouble}");
        assert_eq!(refused.message, "We cannot send a code to that number.");
    }
}

/// So many codes that are not the right one.
fn wrong_codes(right: &str, count: u32) -> Vec<String> {
    let right: u32 = right.parse().unwrap();
    (1..=count).map(|step| format!("{:06}", (right + step) % 1_000_000)).collect()
}

fn seconds_until(time: &Value) -> i64 {
    let time = OffsetDateTime::parse(time.as_str().unwrap(), &Rfc3339).unwrap();
    (time - types::Clock::system().now()).whole_seconds()
}
