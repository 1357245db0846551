//! The captcha: proof of work before a sign-up.

use std::time::Duration;

use mesh::Fault;
use proto::auth::v1::{IntroduceDeviceRequest, SignInRequest, SignUpRequest};
use sqlx::Connection as _;
use tokio::task::JoinSet;
use tonic::Code;

use crate::{
    harness::{PASSWORD, Service, connect, encode, fault, until_a_lock_is_awaited},
    trace::traced,
};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4739";

fn assert_expired(fault: &Fault) {
    assert_eq!((fault.code, fault.reason.as_ref()), (Code::InvalidArgument, "CAPTCHA_EXPIRED"));
    assert_eq!(fault.message, "CAPTCHA has expired. Please solve it again.");
}

#[tokio::test]
async fn a_wrong_solution_is_refused() {
    let auth = Service::start().await;
    let mut payload = auth.solved().await;
    payload.solution.derived_key = "00".repeat(32);
    for captcha in [encode(&payload), String::new(), "e30=".to_owned()] {
        let fault = auth.sign_up_with("wanjiru@example.com", PASSWORD, captcha).await;
        assert_expired(&fault.unwrap_err());
    }
}

#[tokio::test]
async fn a_solution_is_refused_after_five_minutes() {
    let auth = Service::start().await;
    let captcha = auth.captcha().await;
    auth.clock.advance(Duration::from_mins(5));
    let fault = auth.sign_up_with("wanjiru@example.com", PASSWORD, captcha).await;
    assert_expired(&fault.unwrap_err());
}

#[tokio::test]
async fn a_solution_creates_one_account() {
    let auth = Service::start().await;
    let captcha = auth.captcha().await;
    auth.sign_up_with("wanjiru@example.com", PASSWORD, captcha.clone()).await.unwrap();
    let fault = auth.sign_up_with("kamau@example.com", PASSWORD, captcha).await;
    assert_expired(&fault.unwrap_err());
}

#[tokio::test]
async fn concurrent_sign_ups_with_one_solution_create_one_account() {
    let auth = Service::start().await;
    let captcha = auth.captcha().await;
    let sign_up = |email: &'static str| auth.sign_up_with(email, PASSWORD, captcha.clone());
    let (a, b, c) =
        tokio::join!(sign_up("a@example.com"), sign_up("b@example.com"), sign_up("c@example.com"));
    let made = [a, b, c].into_iter().flatten().count();
    assert_eq!(made, 1);
}

#[tokio::test]
async fn concurrent_sign_ups_with_one_solution_cost_one_hash() {
    let spans = testkit::spans();
    let auth = Service::start().await;
    let captcha = auth.captcha().await;
    let mut replies = JoinSet::new();
    for n in 0..8 {
        let mut client = auth.auth.clone();
        let sign_up = SignUpRequest {
            email: format!("wanjiru{n}@example.com"),
            password: PASSWORD.to_owned(),
            captcha: captcha.clone(),
            ..Default::default()
        };
        let request = traced(sign_up, TRACE);
        replies.spawn(async move { client.sign_up(request).await.map_err(fault).err() });
    }
    let refused: Vec<_> = replies.join_all().await.into_iter().flatten().collect();
    assert_eq!(refused.len(), 7);
    refused.iter().for_each(assert_expired);
    let spans = spans.of_trace(TRACE);
    assert_eq!(spans.iter().filter(|span| span.name == "password.hash").count(), 1);
}

#[tokio::test]
async fn overload_does_not_spend_the_captcha() {
    let one = ["--hash-concurrency=1", "--hashes-waiting=0"];
    let base = testkit::base("svc-auth");
    let auth = Service::start_on(testkit::database("svc-auth").await, &one, base).await;
    let (first, second) = (auth.solved().await, auth.captcha().await);
    // The first request has the only hash permit, and keeps it while it waits for the row of
    // its solution.
    let mut conn = connect(&auth.database).await;
    let mut uncertain = conn.begin().await.unwrap();
    sqlx::query("INSERT INTO used_captcha (signature, expires_at) VALUES ($1, now())")
        .bind(&first.challenge.signature)
        .execute(&mut *uncertain)
        .await
        .unwrap();
    let in_place = auth.sign_up_with("wanjiru@example.com", PASSWORD, encode(&first));
    let meanwhile = async {
        until_a_lock_is_awaited(&auth.database).await;
        let fault = auth.sign_up_with("kamau@example.com", PASSWORD, second.clone()).await;
        assert_eq!(fault.unwrap_err().code, Code::Unavailable);
        uncertain.rollback().await.unwrap();
    };
    let (made, ()) = tokio::join!(in_place, meanwhile);
    made.unwrap();
    auth.sign_up_with("kamau@example.com", PASSWORD, second).await.unwrap();
}

#[tokio::test]
async fn testing_whether_an_email_is_taken_spends_the_solution() {
    let auth = Service::start().await;
    auth.player("wanjiru").await;
    let captcha = auth.captcha().await;
    let fault = auth.sign_up_with("wanjiru@example.com", PASSWORD, captcha.clone()).await;
    assert_eq!(fault.unwrap_err().reason, "EMAIL_TAKEN");
    let fault = auth.sign_up_with("kamau@example.com", PASSWORD, captcha).await;
    assert_expired(&fault.unwrap_err());
}

#[tokio::test]
async fn a_weak_password_does_not_spend_the_solution() {
    let auth = Service::start().await;
    let captcha = auth.captcha().await;
    let fault = auth.sign_up_with("wanjiru@example.com", "12345", captcha.clone()).await;
    assert_eq!(fault.unwrap_err().reason, "WEAK_PASSWORD");
    auth.sign_up_with("wanjiru@example.com", PASSWORD, captcha).await.unwrap();
}

#[tokio::test]
async fn a_solution_buys_one_device_token() {
    let auth = Service::start().await;
    let introduce = async |captcha: &str| {
        let request = IntroduceDeviceRequest { captcha: captcha.to_owned() };
        let reply = auth.auth.clone().introduce_device(request).await.map_err(fault)?;
        Ok::<_, Fault>(reply.into_inner().device_token)
    };
    assert_expired(&introduce("").await.unwrap_err());
    assert_expired(&introduce("e30=").await.unwrap_err());
    let captcha = auth.captcha().await;
    let device = introduce(&captcha).await.unwrap();
    assert_expired(&introduce(&captcha).await.unwrap_err());
    // The player who signs in on the device is known on it from then on.
    auth.player("wanjiru").await;
    let request = SignInRequest {
        email: "wanjiru@example.com".to_owned(),
        password: PASSWORD.to_owned(),
        device_token: device.clone(),
    };
    let session = auth.auth.clone().sign_in(request).await.unwrap().into_inner().session;
    assert_eq!(session.unwrap().device_token, device);
}
