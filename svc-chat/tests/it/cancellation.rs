//! A call that ends before its reply ends its statement at the database.

use std::time::Duration;

use mesh::args::DatabaseArgs;
use proto::chat::v1::ListRoomsRequest;
use tokio::time::{Instant, timeout};
use tonic::{Code, Request};

use crate::harness::{Service, signed};

/// Limits that end no statement during a test, and one connection for all calls.
fn patient() -> DatabaseArgs {
    DatabaseArgs {
        db_connections: 1,
        db_statement_timeout: Duration::from_mins(5),
        db_lock_timeout: Duration::from_mins(5),
        ..DatabaseArgs::default()
    }
}

impl Service {
    /// Statements of the service that wait for a lock.
    async fn blocked(&self) -> i64 {
        sqlx::query_scalar(
            "SELECT count(*) FROM pg_stat_activity
             WHERE datname = current_database() AND application_name = 'svc-chat'
                 AND wait_event_type = 'Lock'",
        )
        .fetch_one(&self.database.pool)
        .await
        .unwrap()
    }

    async fn until_blocked(&self, expected: i64) -> Duration {
        let started = Instant::now();
        testkit::eventually("the statement's state", async || {
            (self.blocked().await == expected).then_some(())
        })
        .await;
        started.elapsed()
    }

    fn list_rooms(&self) -> Request<ListRoomsRequest> {
        signed(&self.tokens.player().1, ListRoomsRequest {})
    }
}

#[tokio::test]
async fn a_client_that_goes_away_cancels_the_statement() {
    let mut service = Service::start_with(patient()).await;
    let mut lock = service.database.pool.begin().await.unwrap();
    sqlx::query("LOCK TABLE room IN ACCESS EXCLUSIVE MODE").execute(&mut *lock).await.unwrap();
    let (mut client, request) = (service.client.clone(), service.list_rooms());
    tokio::select! {
        reply = client.list_rooms(request) => unreachable!("the table is locked: {reply:?}"),
        _ = service.until_blocked(1) => {}
    }
    // The call was dropped, and the lock is still held.
    let took = service.until_blocked(0).await;
    assert!(took < Duration::from_secs(3), "{took:?}");
    lock.rollback().await.unwrap();
    let request = service.list_rooms();
    let reply = timeout(Duration::from_secs(5), service.client.list_rooms(request)).await;
    reply.expect("the only connection is free").unwrap();
}

#[tokio::test]
async fn a_deadline_that_passes_cancels_the_statement() {
    let service = Service::start_with(patient()).await;
    let mut lock = service.database.pool.begin().await.unwrap();
    sqlx::query("LOCK TABLE room IN ACCESS EXCLUSIVE MODE").execute(&mut *lock).await.unwrap();
    let (mut client, mut request) = (service.client.clone(), service.list_rooms());
    request.set_timeout(Duration::from_secs(1));
    let (reply, _) = tokio::join!(client.list_rooms(request), service.until_blocked(1));
    let code = reply.unwrap_err().code();
    assert!(matches!(code, Code::DeadlineExceeded | Code::Cancelled), "{code:?}");
    let took = service.until_blocked(0).await;
    assert!(took < Duration::from_secs(3), "{took:?}");
    lock.rollback().await.unwrap();
}
