//! Account enumeration: neither a reply nor the work done before it reveals whether an
//! account exists.

use std::time::Duration;

use proto::auth::v1::{RequestPasswordResetRequest, SignInRequest, StartPhoneSignInRequest};
use tonic::Request;

use crate::{
    harness::{fault, with_bearer},
    world::{PHONE, World},
};

/// A request with a trace id.
fn traced<T>(message: T, trace: &str) -> Request<T> {
    let mut request = with_bearer(message, "");
    let parent = format!("00-{trace}-00f067aa0ba902b7-01");
    request.metadata_mut().insert("traceparent", parent.parse().unwrap());
    request
}

/// The spans of a finished call, with its statements, and without the work done after its
/// reply.
async fn work(trace: &str, rpc: &str) -> Vec<String> {
    testkit::eventually("the call's own span", || async {
        let spans = testkit::spans().of_trace(trace);
        spans.iter().any(|span| span.name.ends_with(rpc)).then_some(())
    })
    .await;
    let spans = testkit::spans().of_trace(trace);
    // A delivery belongs to the same trace and may be running: spans below it, or without a
    // known parent, are not part of the call.
    let was_waited_for = |mut at| {
        while let Some(span) = spans.iter().find(|span| span.span_context.span_id() == at) {
            if span.name == "outbox.deliver" || span.name.ends_with(rpc) {
                return span.name != "outbox.deliver";
            }
            at = span.parent_span_id;
        }
        false
    };
    let during = spans.iter().filter(|span| was_waited_for(span.span_context.span_id()));
    let mut names: Vec<_> = during.map(|span| span.name.to_string()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_code_request_runs_the_same_statements_for_known_and_unknown_numbers() {
    const KNOWN: &str = "a1000000000000000000000000000001";
    const UNKNOWN: &str = "a1000000000000000000000000000002";
    testkit::spans();
    let world = World::new().await;
    let sent = world.auth.start_phone(PHONE).await.unwrap();
    world.auth.verify_phone(&sent.challenge_id, &world.code(PHONE).await).await.unwrap();
    world.auth.clock.advance(Duration::from_hours(1));

    let mut replies = Vec::new();
    for (phone, trace) in [(PHONE, KNOWN), ("0722345678", UNKNOWN)] {
        let captcha = world.auth.captcha().await;
        let request =
            StartPhoneSignInRequest { phone: phone.to_owned(), captcha, ..Default::default() };
        let reply = world.auth.auth.clone().start_phone_sign_in(traced(request, trace)).await;
        let reply = reply.unwrap().into_inner();
        replies.push((reply.expires_at, reply.resend_at));
    }
    assert_eq!(replies[0], replies[1]);
    // Voiding an older code is one statement, whether there is one or not.
    let known = work(KNOWN, "StartPhoneSignIn").await;
    assert!(known.iter().any(|name| name == "sms.send"), "{known:?}");
    assert_eq!(known, work(UNKNOWN, "StartPhoneSignIn").await);
}

#[tokio::test]
async fn a_reset_request_runs_the_same_statements_for_known_and_unknown_addresses() {
    const KNOWN: &str = "a2000000000000000000000000000001";
    const UNKNOWN: &str = "a2000000000000000000000000000002";
    testkit::spans();
    let world = World::new().await;
    let (email, _) = world.player("wanjiru").await;
    for (email, trace) in [(email.as_str(), KNOWN), ("unknown@example.com", UNKNOWN)] {
        let request = RequestPasswordResetRequest { email: email.to_owned() };
        world.auth.auth.clone().request_password_reset(traced(request, trace)).await.unwrap();
    }
    let known = work(KNOWN, "RequestPasswordReset").await;
    assert!(known.iter().any(|name| name == "auth.request_password_reset"), "{known:?}");
    assert!(!known.iter().any(|name| name.starts_with("db.identity")), "{known:?}");
    assert_eq!(known, work(UNKNOWN, "RequestPasswordReset").await);
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_address_run_the_same_statements() {
    const KNOWN: &str = "a3000000000000000000000000000001";
    const UNKNOWN: &str = "a3000000000000000000000000000002";
    testkit::spans();
    let world = World::new().await;
    let (email, _) = world.player("wanjiru").await;
    let mut faults = Vec::new();
    for (email, trace) in [(email.as_str(), KNOWN), ("unknown@example.com", UNKNOWN)] {
        let request = SignInRequest {
            email: email.to_owned(),
            password: "not-this-one".to_owned(),
            ..Default::default()
        };
        let refused = world.auth.auth.clone().sign_in(traced(request, trace)).await;
        faults.push(refused.map_err(fault).unwrap_err());
    }
    assert_eq!(faults[0], faults[1]);
    assert_eq!(work(KNOWN, "SignIn").await, work(UNKNOWN, "SignIn").await);
}
