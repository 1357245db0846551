//! Deletion of expired rows.

use std::time::Duration;

use mesh::Base;
use testkit::Database;

use crate::{
    harness::{Service, connect, days},
    world::{PHONE, World},
};

/// Rows of `used_captcha`, `sign_in_rate_limit`, `session`, `refresh_token`.
async fn rows(database: &Database) -> [i64; 4] {
    let mut conn = connect(database).await;
    let (captchas, guards, sessions, tokens) = sqlx::query_as(
        "SELECT (SELECT count(*) FROM used_captcha), (SELECT count(*) FROM sign_in_rate_limit),
                (SELECT count(*) FROM session), (SELECT count(*) FROM refresh_token)",
    )
    .fetch_one(&mut conn)
    .await
    .unwrap();
    [captchas, guards, sessions, tokens]
}

/// Starts a replica with a clock `later` ahead, which sweeps when it starts.
async fn sweep(database: &Database, later: Duration, expected: [i64; 4]) {
    let base: Base = testkit::base("svc-auth");
    base.clock.advance(later);
    let _replica = Service::start_on(database.clone(), &[], base).await;
    testkit::eventually("the sweep", || async { (rows(database).await == expected).then_some(()) })
        .await;
}

#[tokio::test]
async fn a_backlog_is_deleted_in_one_round() {
    let auth = Service::start().await;
    let mut conn = connect(&auth.database).await;
    let fill = "INSERT INTO used_captcha SELECT 'old-' || n, $1 FROM generate_series(1, 3500) n";
    sqlx::query(fill).bind(auth.clock.now()).execute(&mut conn).await.unwrap();
    sweep(&auth.database, Duration::from_mins(1), [0, 0, 0, 0]).await;
}

#[tokio::test]
async fn rows_are_deleted_when_they_expire_and_not_before() {
    let auth = Service::start().await;
    let session = auth.player("wanjiru").await;
    auth.refresh(&session.refresh_token).await.unwrap();
    auth.sign_in("wanjiru@example.com", "not-this-one").await.unwrap_err();
    assert_eq!(rows(&auth.database).await, [1, 1, 1, 2]);
    sweep(&auth.database, Duration::from_mins(5), [0, 1, 1, 2]).await;
    // Failures count towards the limit of a hundred until a success.
    sweep(&auth.database, days(89), [0, 1, 1, 2]).await;
    sweep(&auth.database, days(90), [0, 0, 0, 0]).await;
}

#[tokio::test]
async fn an_ended_session_is_deleted_when_its_access_tokens_have_expired() {
    let auth = Service::start().await;
    let session = auth.player("wanjiru").await;
    auth.sign_out(&session.access_token, &session.refresh_token).await.unwrap();
    // The session's access token is valid for 15 minutes, and replicas read a minute back.
    sweep(&auth.database, Duration::from_mins(15), [0, 0, 1, 1]).await;
    sweep(&auth.database, Duration::from_mins(16), [0, 0, 0, 0]).await;
    let fault = auth.refresh(&session.refresh_token).await.unwrap_err();
    assert_eq!(fault.reason, "SESSION_REVOKED");
}

/// No statement deletes more than a batch; otherwise one player's tokens could exceed the
/// statement timeout. A trigger counts.
#[tokio::test]
async fn a_session_with_many_tokens_is_deleted_in_batches() {
    let auth = Service::start().await;
    auth.player("wanjiru").await;
    let mut conn = connect(&auth.database).await;
    for statement in [
        "INSERT INTO refresh_token
         SELECT sha256(n::text::bytea), session.id FROM session, generate_series(1, 2500) n",
        "CREATE TABLE step (deleted bigint)",
        "CREATE FUNCTION count_step() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
         'BEGIN INSERT INTO step SELECT count(*) FROM gone; RETURN NULL; END'",
        "CREATE TRIGGER steps AFTER DELETE ON refresh_token
         REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_step()",
    ] {
        sqlx::query(statement).execute(&mut conn).await.unwrap();
    }
    sweep(&auth.database, days(90), [0, 0, 0, 0]).await;
    let largest: i64 =
        sqlx::query_scalar("SELECT max(deleted) FROM step").fetch_one(&mut conn).await.unwrap();
    assert_eq!(largest, 1_000);
}

/// Rows of `phone_challenge`, `code_rate_limit`, `sms_spent`, `email_link`.
async fn sent_rows(database: &Database) -> [i64; 4] {
    let mut conn = connect(database).await;
    let (challenges, guards, hours, links) = sqlx::query_as(
        "SELECT (SELECT count(*) FROM phone_challenge), (SELECT count(*) FROM code_rate_limit),
                (SELECT count(*) FROM sms_spent), (SELECT count(*) FROM email_link)",
    )
    .fetch_one(&mut conn)
    .await
    .unwrap();
    [challenges, guards, hours, links]
}

#[tokio::test]
async fn codes_and_links_are_deleted_when_they_no_longer_count() {
    let world = World::new().await;
    world.auth.start_phone(PHONE).await.unwrap();
    let (email, _) = world.player("wanjiru").await;
    world.reset_link(&email).await;
    let database = &world.auth.database;
    assert_eq!(sent_rows(database).await, [1, 1, 1, 2]);
    for (minutes, expected) in [
        // A code is valid for 5 minutes.
        (5, [0, 1, 1, 2]),
        // A reset link is valid for half an hour, and counts for an hour after that.
        (30 + 60, [0, 1, 1, 1]),
        (24 * 60, [0, 0, 0, 1]),
        (25 * 60, [0, 0, 0, 0]),
    ] {
        let base = testkit::base("svc-auth");
        base.clock.advance(Duration::from_mins(minutes));
        let _replica = world.another_on(database.clone(), &[], base).await;
        testkit::eventually("the sweep", || async {
            (sent_rows(database).await == expected).then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn expired_attempts_and_exchange_codes_are_deleted() {
    let auth = Service::start().await;
    let mut conn = connect(&auth.database).await;
    for fill in [
        "INSERT INTO player (id, referral_code, created_at, updated_at)
         VALUES (gen_random_uuid(), '00000000', $1, $1)",
        "INSERT INTO oauth_attempt
         SELECT decode(repeat(n || '0', 32), 'hex'), decode(repeat('00', 32), 'hex'), 'GOOGLE',
                $1::timestamptz + n * interval '10 minutes'
         FROM generate_series(1, 2) n",
        "INSERT INTO oauth_exchange
         SELECT decode(repeat(n || '0', 32), 'hex'), player.id, false,
                $1::timestamptz + n * interval '10 minutes'
         FROM player, generate_series(1, 2) n",
    ] {
        sqlx::query(fill).bind(auth.clock.now()).execute(&mut conn).await.unwrap();
    }
    let base: Base = testkit::base("svc-auth");
    base.clock.advance(Duration::from_mins(10));
    let _replica = Service::start_on(auth.database.clone(), &[], base).await;
    testkit::eventually("the sweep", || async {
        let left: (i64, i64) = sqlx::query_as(
            "SELECT (SELECT count(*) FROM oauth_attempt), (SELECT count(*) FROM oauth_exchange)",
        )
        .fetch_one(&mut connect(&auth.database).await)
        .await
        .unwrap();
        (left == (1, 1)).then_some(())
    })
    .await;
}
