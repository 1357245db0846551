//! Signing out on every device, and the revocation of access tokens.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures_util::{
    StreamExt as _,
    stream::{self, BoxStream},
};
use mesh::Fault;
use proto::auth::v1::{
    GetKeySetRequest, GetKeySetResponse, RevokedSession, SignOutEverywhereRequest,
    WatchRevokedSessionsRequest, WatchRevokedSessionsResponse,
    key_service_server::{KeyService, KeyServiceServer},
};
use tokio::time::timeout;
use tonic::{Code, Request, Response, Status, service::Routes};
use types::{Clock, Rng, SessionId};

use crate::harness::{PASSWORD, Service, fault, with_bearer};

/// Longest wait for what happens at once; only broken code reaches it.
const LIMIT: Duration = Duration::from_secs(15);

async fn sign_out_everywhere(auth: &Service, bearer: &str) -> Result<(), Fault> {
    let request = with_bearer(SignOutEverywhereRequest {}, bearer);
    auth.auth.clone().sign_out_everywhere(request).await.map_err(fault)?;
    Ok(())
}

/// A replica with the same database and clock.
async fn replica(auth: &Service) -> Service {
    let base = mesh::Base { clock: auth.clock.clone(), ..testkit::base("svc-auth") };
    Service::start_on(auth.database.clone(), &[], base).await
}

async fn until_refused(auth: &Service, token: &str) {
    testkit::eventually("a refusal", || async { auth.profile(token).await.err() }).await;
}

#[tokio::test]
async fn all_sessions_of_the_caller_end_and_no_others() {
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
async fn another_replica_refuses_the_token() {
    let auth = Service::start().await;
    let other = replica(&auth).await;
    let session = auth.player("wanjiru").await;
    assert!(other.profile(&session.access_token).await.is_ok());
    auth.sign_out(&session.access_token, &session.refresh_token).await.unwrap();
    until_refused(&other, &session.access_token).await;
}

#[tokio::test]
async fn a_replica_that_starts_later_refuses_the_token() {
    let auth = Service::start().await;
    let session = auth.player("wanjiru").await;
    auth.sign_out(&session.access_token, &session.refresh_token).await.unwrap();
    let late = replica(&auth).await;
    let first = late.profile(&session.access_token).await;
    assert!(first.is_err(), "the list was read before the port opened");
}

#[tokio::test]
async fn a_replica_with_a_fast_clock_misses_no_revocation() {
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

/// The database's time of the revocation counts, not the replica's.
#[tokio::test]
async fn revocations_by_a_replica_with_a_slow_clock_are_not_missed() {
    let auth = Service::start().await;
    let clock = Clock::settable(testkit::BEGINNING - Duration::from_mins(5));
    let base = mesh::Base { clock, ..testkit::base("svc-auth") };
    let behind = Service::start_on(auth.database.clone(), &[], base).await;
    let (hers, his) = (auth.player("wanjiru").await, auth.player("kamau").await);
    auth.sign_out(&hers.access_token, &hers.refresh_token).await.unwrap();
    until_refused(&auth, &hers.access_token).await;
    behind.sign_out(&his.access_token, &his.refresh_token).await.unwrap();
    until_refused(&auth, &his.access_token).await;
    auth.clock.advance(Duration::from_secs(15 * 60 - 1));
    assert!(auth.profile(&his.access_token).await.is_err(), "until its access token expires");
}

#[tokio::test]
async fn a_watcher_receives_every_revoked_session() {
    let auth = Service::start().await;
    let session = auth.player("wanjiru").await;
    let watched = auth.keys.clone().watch_revoked_sessions(WatchRevokedSessionsRequest {}).await;
    let mut watched = watched.unwrap().into_inner();
    let first = watched.message().await.unwrap().unwrap();
    assert_eq!(first.sessions, [], "an empty first update comes at once");
    let second = timeout(LIMIT, watched.message()).await.unwrap().unwrap().unwrap();
    assert_eq!(second.sessions, [], "nor since then");
    sign_out_everywhere(&auth, &session.access_token).await.unwrap();
    let watching = async {
        loop {
            let update = watched.message().await.unwrap().unwrap();
            if !update.sessions.is_empty() {
                return update.sessions;
            }
        }
    };
    let revoked = timeout(LIMIT, watching).await.unwrap();
    assert_eq!(revoked.len(), 1);
    let expires_at = proto::timestamp(auth.clock.now() + Duration::from_mins(15));
    assert_eq!(revoked[0].expires_at, Some(expires_at));
}

/// A stub svc-auth whose first stream is silent and whose second has a revoked
/// session.
#[derive(Clone, Default)]
struct Deaf {
    asked: Arc<AtomicBool>,
    session: String,
}

#[tonic::async_trait]
impl KeyService for Deaf {
    async fn get_key_set(
        &self,
        _: Request<GetKeySetRequest>,
    ) -> Result<Response<GetKeySetResponse>, Status> {
        Err(Status::internal("of no matter here"))
    }

    type WatchRevokedSessionsStream =
        BoxStream<'static, Result<WatchRevokedSessionsResponse, Status>>;

    async fn watch_revoked_sessions(
        &self,
        _: Request<WatchRevokedSessionsRequest>,
    ) -> Result<Response<Self::WatchRevokedSessionsStream>, Status> {
        let mut update = WatchRevokedSessionsResponse::default();
        if self.asked.swap(true, Ordering::SeqCst) {
            let expires_at = Some(proto::timestamp(Clock::system().now() + LIMIT));
            update.sessions = vec![RevokedSession { session_id: self.session.clone(), expires_at }];
        }
        Ok(Response::new(stream::iter([Ok(update)]).chain(stream::pending()).boxed()))
    }
}

#[tokio::test]
async fn a_silent_stream_is_opened_again() {
    let clock = Clock::system();
    let session = SessionId::generate(&clock, &Rng::system());
    let deaf = Deaf { session: session.to_string(), ..Deaf::default() };
    let url = testkit::serve("svc-auth", Routes::new(KeyServiceServer::new(deaf))).await;
    let shutdown = mesh::Shutdown::new();
    let upstream = testkit::base("svc-games").upstream("svc-auth", &url).unwrap();
    let verifier = mesh::auth::Verifier::remote(clock, upstream, &shutdown);
    timeout(LIMIT, verifier.revoked_sessions().revoked(session)).await.unwrap();
    shutdown.stop();
}
