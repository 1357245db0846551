//! Limits on sessions: their number, their refreshes, and their end.

use std::time::Duration;

use proto::auth::v1::SignOutEverywhereRequest;
use sqlx::Connection as _;
use tonic::Code;

use crate::harness::{PASSWORD, Service, connect, until_a_lock_is_awaited, with_bearer};

/// The numbers of open and of displaced sessions.
async fn sessions(auth: &Service) -> (i64, i64) {
    sqlx::query_as(
        "SELECT count(*) FILTER (WHERE ended_at IS NULL),
                count(*) FILTER (WHERE ended_because = 'DISPLACED') FROM session",
    )
    .fetch_one(&mut connect(&auth.database).await)
    .await
    .unwrap()
}

#[tokio::test]
async fn above_the_limit_the_session_used_longest_ago_ends() {
    let auth = Service::start().await;
    let used = auth.player("wanjiru").await;
    let mut opened = Vec::new();
    for _ in 0..59 {
        auth.clock.advance(Duration::from_secs(1));
        opened.push(auth.sign_in("wanjiru@example.com", PASSWORD).await.unwrap());
        if opened.len() == 40 {
            auth.refresh(&used.refresh_token).await.unwrap();
        }
    }
    assert_eq!(sessions(&auth).await, (50, 10));
    for (n, session) in opened.iter().enumerate() {
        assert_eq!(auth.refresh(&session.refresh_token).await.is_ok(), n >= 10, "{n}");
    }
    let displaced = &opened[0].access_token;
    testkit::eventually("a refusal", || async { auth.profile(displaced).await.err() }).await;

    auth.player("kamau").await;
    assert_eq!(sessions(&auth).await, (51, 10), "each player has their own limit");
}

#[tokio::test]
async fn concurrent_sign_ins_keep_the_session_limit() {
    let auth = Service::start().await;
    auth.player("wanjiru").await;
    let mut conn = connect(&auth.database).await;
    let fill = "INSERT INTO session
                  (id, player_id, current_hash, rotated_at, created_at, expires_at)
                SELECT gen_random_uuid(), player_id, sha256(n::text::bytea), rotated_at,
                       created_at, expires_at
                FROM session, generate_series(1, 49) n";
    sqlx::query(fill).execute(&mut conn).await.unwrap();
    let sign_in = || auth.sign_in("wanjiru@example.com", PASSWORD);
    let (a, b, c) = tokio::join!(sign_in(), sign_in(), sign_in());
    assert!([a, b, c].iter().all(Result::is_ok));
    assert_eq!(sessions(&auth).await, (50, 3));
}

#[tokio::test]
async fn too_frequent_refreshes_wait_and_keep_the_session() {
    let auth = Service::start().await;
    let mut session = auth.player("wanjiru").await;
    for _ in 0..100 {
        session = auth.refresh(&session.refresh_token).await.unwrap();
    }
    let fault = auth.refresh(&session.refresh_token).await.unwrap_err();
    assert_eq!((fault.code, fault.reason.as_ref()), (Code::ResourceExhausted, "RATE_LIMITED"));
    assert_eq!(fault.retry_after, Some(Duration::from_mins(5)));
    let tokens: i64 = sqlx::query_scalar("SELECT count(*) FROM refresh_token")
        .fetch_one(&mut connect(&auth.database).await)
        .await
        .unwrap();
    assert_eq!(tokens, 101);
    auth.clock.advance(Duration::from_mins(5));
    auth.refresh(&session.refresh_token).await.unwrap();
}

/// A sign-in that is not committed yet has locked its player, so the sign-out waits for it and
/// ends its session, too.
#[tokio::test]
async fn a_sign_out_everywhere_ends_a_session_that_is_being_opened() {
    let auth = Service::start().await;
    let session = auth.player("wanjiru").await;
    let mut conn = connect(&auth.database).await;
    let mut tx = conn.begin().await.unwrap();
    for statement in [
        "SELECT FROM player FOR NO KEY UPDATE",
        "INSERT INTO session (id, player_id, current_hash, rotated_at, created_at, expires_at)
         SELECT gen_random_uuid(), player_id, sha256('thief'), rotated_at, created_at, expires_at
         FROM session",
    ] {
        sqlx::query(statement).execute(&mut *tx).await.unwrap();
    }
    let commit = async {
        until_a_lock_is_awaited(&auth.database).await;
        tx.commit().await.unwrap();
    };
    let request = with_bearer(SignOutEverywhereRequest {}, &session.access_token);
    let mut client = auth.auth.clone();
    let (ended, ()) = tokio::join!(client.sign_out_everywhere(request), commit);
    ended.unwrap();
    assert_eq!(sessions(&auth).await, (0, 0));
}
