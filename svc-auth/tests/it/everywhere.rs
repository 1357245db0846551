//! Out on every device, and told to everybody who judges tokens.

use std::time::Duration;

use mesh::Fault;
use proto::auth::v1::{SignOutEverywhereRequest, WatchEndedSessionsRequest};
use tokio::time::timeout;
use tonic::Code;

use crate::harness::{PASSWORD, Service, fault, with_bearer};

/// For news that should be there at once; a limit for broken code.
const PATIENCE: Duration = Duration::from_secs(15);

async fn sign_out_everywhere(auth: &Service, bearer: &str) -> Result<(), Fault> {
    let request = with_bearer(SignOutEverywhereRequest {}, bearer);
    auth.auth.clone().sign_out_everywhere(request).await.map_err(fault)?;
    Ok(())
}

/// A replica of the same service, on the same database and by the same clock.
async fn replica(auth: &Service) -> Service {
    let base = mesh::Base { clock: auth.clock.clone(), ..testkit::base("svc-auth") };
    Service::start_on(auth.database.clone(), &[], base).await
}

async fn until_refused(auth: &Service, token: &str) {
    testkit::eventually("a refusal", || async { auth.profile(token).await.err() }).await;
}

#[tokio::test]
async fn all_sessions_of_the_caller_end_and_nobody_elses() {
    let auth = Service::start().await;
    let (phone, other) = (auth.player("wanjiru").await, auth.player("kamau").await);
    let laptop = auth.sign_in("wanjiru@example.com", PASSWORD).await.unwrap();
    sign_out_everywhere(&auth, &phone.access_token).await.unwrap();
    for session in [&phone, &laptop] {
        let fault = auth.refresh(&session.refresh_token).await.unwrap_err();
        assert_eq!(fault.reason, "SESSION_REVOKED");
        until_refused(&auth, &session.access_token).await;
    }
    assert!(auth.profile(&other.access_token).await.is_ok());
    auth.refresh(&other.refresh_token).await.unwrap();
    let again = auth.sign_in("wanjiru@example.com", PASSWORD).await.unwrap();
    assert!(auth.profile(&again.access_token).await.is_ok());
    assert_eq!(sign_out_everywhere(&auth, "").await.unwrap_err().code, Code::Unauthenticated);
}

#[tokio::test]
async fn another_replica_refuses_the_token_soon() {
    let auth = Service::start().await;
    let other = replica(&auth).await;
    let session = auth.player("wanjiru").await;
    assert!(other.profile(&session.access_token).await.is_ok());
    auth.sign_out(&session.access_token, &session.refresh_token).await.unwrap();
    until_refused(&other, &session.access_token).await;
}

#[tokio::test]
async fn a_replica_that_starts_later_knows_what_ended_before() {
    let auth = Service::start().await;
    let session = auth.player("wanjiru").await;
    auth.sign_out(&session.access_token, &session.refresh_token).await.unwrap();
    let late = replica(&auth).await;
    let first = late.profile(&session.access_token).await;
    assert!(first.is_err(), "it knew before its door was open");
}

#[tokio::test]
async fn a_replica_whose_clock_is_ahead_hides_nobodys_end() {
    let auth = Service::start().await;
    let base = testkit::base("svc-auth");
    base.clock.advance(Duration::from_mins(5));
    let ahead = Service::start_on(auth.database.clone(), &[], base).await;
    let (hers, his) = (ahead.player("wanjiru").await, auth.player("kamau").await);
    ahead.sign_out(&hers.access_token, &hers.refresh_token).await.unwrap();
    until_refused(&auth, &hers.access_token).await;
    auth.sign_out(&his.access_token, &his.refresh_token).await.unwrap();
    until_refused(&auth, &his.access_token).await;
}

#[tokio::test]
async fn who_watches_hears_of_every_session_that_ends() {
    let auth = Service::start().await;
    let session = auth.player("wanjiru").await;
    let watched = auth.keys.clone().watch_ended_sessions(WatchEndedSessionsRequest {}).await;
    let mut watched = watched.unwrap().into_inner();
    let first = watched.message().await.unwrap().unwrap();
    assert_eq!(first.sessions, [], "nothing has ended, and that is said at once");
    sign_out_everywhere(&auth, &session.access_token).await.unwrap();
    let news = timeout(PATIENCE, watched.message()).await.unwrap().unwrap().unwrap();
    assert_eq!(news.sessions.len(), 1);
    let forget_at = proto::timestamp(auth.clock.now() + Duration::from_mins(15));
    assert_eq!(news.sessions[0].forget_at, Some(forget_at));
}
