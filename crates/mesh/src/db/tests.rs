//! Tests of a start beside a real Postgres, each in a schema of its own.

use std::time::Duration;

use sqlx::{
    AssertSqlSafe, PgConnection, SqlSafeStr as _,
    migrate::{Migration, MigrationType},
};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    time::{Instant, timeout},
};
use types::{Clock, Rng};

use super::*;

fn server() -> String {
    std::env::var("TEST_DATABASE_URL").expect("a Postgres for tests")
}

/// The URL of a new schema in the tests' database.
async fn schema() -> SecretUrl {
    let id = Rng::system().uuid_v7(Clock::system().now()).simple();
    let mut conn = PgConnection::connect(&server()).await.unwrap();
    let create = format!("CREATE SCHEMA start_{id}");
    sqlx::raw_sql(AssertSqlSafe(create)).execute(&mut conn).await.unwrap();
    let separator = if server().contains('?') { '&' } else { '?' };
    format!("{}{separator}options[search_path]=start_{id}", server()).parse().unwrap()
}

#[test]
fn a_commit_waits_for_a_standby_that_is_named_and_waited_for() {
    for (standbys, commit, waits) in [
        ("ANY 1 (a, b)", "on", true),
        ("*", "remote_apply", true),
        ("*", "remote_write", false),
        ("*", "local", false),
        ("*", "off", false),
        (" ", "on", false),
        ("", "on", false),
    ] {
        assert_eq!(waits_for_standby(standbys, commit), waits, "{standbys:?}, {commit}");
    }
}

#[tokio::test]
async fn a_service_that_needs_a_standby_does_not_start_without_one() {
    let url = schema().await;
    let args = DatabaseArgs { db_synchronous: true, ..DatabaseArgs::default() };
    let refused = connect("test", &url, Some(&url), &args, &migrator(1)).await.unwrap_err();
    assert!(refused.to_string().starts_with("DB_SYNCHRONOUS: the database does not wait"));
}

fn migrator(versions: i64) -> Migrator {
    let migration = |version| {
        let sql = AssertSqlSafe(format!("CREATE TABLE t{version} (n int)")).into_sql_str();
        Migration::new(version, "test".into(), MigrationType::Simple, sql, false)
    };
    Migrator::with_migrations((1..=versions).map(migration).collect())
}

async fn migrate(url: &SecretUrl, versions: i64) {
    let args = DatabaseArgs { db_migrate_only: true, ..DatabaseArgs::default() };
    let ended = connect("test", url, Some(url), &args, &migrator(versions)).await;
    assert!(ended.unwrap_err().is::<Migrated>());
}

#[tokio::test]
async fn a_service_waits_until_another_process_has_migrated() {
    let url = schema().await;
    let (migrator, args) = (migrator(2), DatabaseArgs::default());
    let mut start = std::pin::pin!(connect("test", &url, None, &args, &migrator));
    let moment = Duration::from_millis(300);
    assert!(timeout(moment, start.as_mut()).await.is_err(), "never migrated");
    migrate(&url, 1).await;
    assert!(timeout(moment, start.as_mut()).await.is_err(), "the schema is older");
    migrate(&url, 2).await;
    timeout(Duration::from_secs(10), start).await.unwrap().unwrap();
    // A newer schema serves this build, too: during a roll-out both run.
    migrate(&url, 3).await;
    let start = connect("test", &url, None, &args, &migrator);
    timeout(Duration::from_secs(10), start).await.unwrap().unwrap();
}

#[tokio::test]
async fn a_wait_ends_with_its_reason() {
    let url = schema().await;
    let args = DatabaseArgs { db_wait: Duration::from_millis(10), ..DatabaseArgs::default() };
    let error = connect("test", &url, None, &args, &migrator(1)).await.unwrap_err();
    let text = format!("{error:#}");
    assert!(text.contains("waited 10ms") && text.contains("never migrated"), "{text}");
}

#[tokio::test]
async fn a_role_that_is_refused_fails_at_once() {
    let (_, host) = server().split_once('@').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    let url = format!("postgres://no_such_role:wrong@{host}").parse().unwrap();
    let args = DatabaseArgs::default();
    for owner in [None, Some(&url)] {
        let started = Instant::now();
        assert!(connect("test", &url, owner, &args, &migrator(1)).await.is_err());
        assert!(started.elapsed() < Duration::from_secs(5));
    }
}

#[tokio::test]
async fn a_service_starts_before_its_database() {
    let url = schema().await;
    let server = url.expose().split_once('@').unwrap().1;
    let server = server.split(['/', '?']).next().unwrap().to_owned();
    // A port on which nothing listens yet.
    let port = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let late: SecretUrl = url.expose().replace(&server, &port.to_string()).parse().unwrap();
    let (migrator, args) = (migrator(1), DatabaseArgs::default());
    let mut start = std::pin::pin!(connect("test", &late, Some(&late), &args, &migrator));
    assert!(timeout(Duration::from_millis(300), start.as_mut()).await.is_err());
    let listener = TcpListener::bind(port).await.unwrap();
    let tasks = crate::Shutdown::new();
    let proxies = tasks.clone();
    tasks.spawn_contained("proxy", async move {
        while let Ok((mut inner, _)) = listener.accept().await {
            let mut outer = TcpStream::connect(&server).await.unwrap();
            proxies.spawn_contained("connection", async move {
                let _ = copy_bidirectional(&mut inner, &mut outer).await;
            });
        }
    });
    timeout(Duration::from_secs(10), start).await.unwrap().unwrap();
}

#[tokio::test]
async fn a_statement_of_a_call_has_one_plan() {
    let url = schema().await;
    let pools = connect("test", &url, Some(&url), &DatabaseArgs::default(), &migrator(1)).await;
    let pools = pools.unwrap();
    for (pool, expected) in [(&pools.calls, "force_generic_plan"), (&pools.jobs, "auto")] {
        let mut conn = pool.acquire().await.unwrap();
        let mode: String =
            sqlx::query_scalar("SHOW plan_cache_mode").fetch_one(&mut *conn).await.unwrap();
        assert_eq!(mode, expected);
    }
}
