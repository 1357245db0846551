//! Traces of calls.

use opentelemetry::Value;
use proto::auth::v1::{
    RefreshRequest, RequestPasswordResetRequest, SignInRequest, StartPhoneSignInRequest,
    VerifyPhoneSignInRequest,
};
use tonic::Request;

use crate::{
    harness::{PASSWORD, Service, fault},
    world::{PHONE, World},
};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PHONE_TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4737";
const FORGED_TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4735";
const MAIL_TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4738";

pub(crate) fn traced<T>(message: T, trace: &str) -> Request<T> {
    let mut request = Request::new(message);
    let parent = format!("00-{trace}-00f067aa0ba902b7-01");
    request.metadata_mut().insert("traceparent", parent.parse().unwrap());
    request
}

#[tokio::test]
async fn a_sign_in_is_traced_without_secrets() {
    let spans = testkit::spans();
    let auth = Service::start().await;
    let player = auth.player("wanjiru").await;
    let request = SignInRequest {
        email: "wanjiru@example.com".to_owned(),
        password: PASSWORD.to_owned(),
        ..Default::default()
    };
    let session = auth
        .auth
        .clone()
        .sign_in(traced(request, TRACE))
        .await
        .unwrap()
        .into_inner()
        .session
        .unwrap();

    let story = testkit::eventually("the call's own span", || async {
        let story = spans.ancestry(TRACE, "db.session.insert");
        (story.len() == 3).then_some(story)
    })
    .await;
    assert_eq!(story, ["db.session.insert", "auth.sign_in", "playon.auth.v1.AuthService/SignIn"]);
    for statement in [
        "db.sign_in_rate_limit.lock",
        "db.sign_in_rate_limit.update",
        "db.identity.find",
        "db.sign_in_rate_limit.clear",
    ] {
        assert_eq!(spans.ancestry(TRACE, statement)[1], "auth.sign_in", "{statement}");
    }
    let recorded = format!("{:?}", spans.of_trace(TRACE));
    assert!(recorded.contains(&player.uid), "the player's id is missing");
    for secret in ["wanjiru@example.com", PASSWORD, &session.access_token, &session.refresh_token] {
        assert!(!recorded.contains(secret), "{secret} is in the trace");
    }
}

#[tokio::test]
async fn a_phone_sign_in_is_traced_without_number_and_code() {
    let spans = testkit::spans();
    let world = World::new().await;
    let captcha = world.auth.captcha().await;
    let request =
        StartPhoneSignInRequest { phone: PHONE.to_owned(), captcha, ..Default::default() };
    let mut client = world.auth.auth.clone();
    let sent = client.start_phone_sign_in(traced(request, PHONE_TRACE)).await.unwrap();
    let code = world.code(PHONE).await;
    let challenge_id = sent.into_inner().challenge_id;
    let request =
        VerifyPhoneSignInRequest { challenge_id, code: code.clone(), ..Default::default() };
    client.verify_phone_sign_in(traced(request, PHONE_TRACE)).await.unwrap();

    for (span, use_case, rpc) in [
        ("sms.send", "auth.start_phone_sign_in", "StartPhoneSignIn"),
        ("db.session.insert", "auth.verify_phone_sign_in", "VerifyPhoneSignIn"),
    ] {
        let story = testkit::eventually("the call's own span", || async {
            let story = spans.ancestry(PHONE_TRACE, span);
            (story.len() == 3).then_some(story)
        })
        .await;
        assert_eq!(story, [span, use_case, &format!("playon.auth.v1.AuthService/{rpc}")]);
    }
    // Six digits may occur in an id or a time by chance, so only the string attributes are
    // compared.
    let spans = spans.of_trace(PHONE_TRACE);
    let recorded = spans.iter().flat_map(|span| &span.attributes);
    let recorded: Vec<_> =
        recorded.filter(|recorded| matches!(recorded.value, Value::String(_))).collect();
    assert!(
        recorded.iter().any(|recorded| recorded.key.as_str() == "challenge.id"),
        "{recorded:?}"
    );
    let recorded = format!("{recorded:?}");
    for secret in [&code, "712345678"] {
        assert!(!recorded.contains(secret), "{secret} is in the trace: {recorded}");
    }
}

#[tokio::test]
async fn a_mail_is_traced_with_its_request_and_without_address_and_link() {
    let spans = testkit::spans();
    let world = World::new().await;
    let (email, _) = world.player("wanjiru").await;
    let request = RequestPasswordResetRequest { email: email.clone() };
    let mut client = world.auth.auth.clone();
    client.request_password_reset(traced(request, MAIL_TRACE)).await.unwrap();
    let token =
        world.mails(&email, 2).await[0].token("https://playon.example/reset-password?token=");

    let story = testkit::eventually("the delivery's own span", || async {
        let story = spans.ancestry(MAIL_TRACE, "mail.send");
        (story.len() == 5).then_some(story)
    })
    .await;
    assert_eq!(
        story,
        [
            "mail.send",
            "auth.mail_reset",
            "outbox.deliver",
            "auth.request_password_reset",
            "playon.auth.v1.AuthService/RequestPasswordReset",
        ]
    );
    let recorded = format!("{:?}", spans.of_trace(MAIL_TRACE));
    for secret in ["wanjiru@example.com", &token] {
        assert!(!recorded.contains(secret), "{secret} is in the trace");
    }
}

#[tokio::test]
async fn tokens_and_challenges_that_were_made_up_cost_no_statement() {
    let spans = testkit::spans();
    let auth = Service::start().await;
    let made_up = "A".repeat(86);
    let refresh = RefreshRequest { refresh_token: made_up.clone(), ..Default::default() };
    let refused = auth.auth.clone().refresh(traced(refresh, FORGED_TRACE)).await;
    assert_eq!(fault(refused.unwrap_err()).reason, "SESSION_REVOKED");
    for challenge_id in [made_up, "0198f3f0-0000-7000-8000-000000000000".to_owned()] {
        let verify = VerifyPhoneSignInRequest {
            challenge_id,
            code: "123456".to_owned(),
            ..Default::default()
        };
        let refused = auth.auth.clone().verify_phone_sign_in(traced(verify, FORGED_TRACE)).await;
        assert_eq!(fault(refused.unwrap_err()).reason, "CODE_EXPIRED");
    }
    testkit::eventually("the calls' own spans", || async {
        let names = spans.of_trace(FORGED_TRACE).into_iter().map(|span| span.name);
        (names.filter(|name| name.contains("AuthService")).count() == 3).then_some(())
    })
    .await;
    let names: Vec<_> = spans.of_trace(FORGED_TRACE).into_iter().map(|span| span.name).collect();
    assert!(names.iter().all(|name| !name.starts_with("db.")), "{names:?}");
}
