//! Tests of the pool against a real Postgres.

use std::{
    pin::pin,
    str::FromStr as _,
    task::{Context, Waker},
};

use sqlx::Connection as _;
use tokio::time::{Instant, sleep, timeout};
use types::{Clock, Rng};

use super::*;

/// Only broken code waits this long for a connection.
const ACQUIRE_TIMEOUT: Duration = Duration::from_mins(1);

fn options() -> PgConnectOptions {
    let url = std::env::var("TEST_DATABASE_URL").expect("a Postgres for tests");
    PgConnectOptions::from_str(&url).unwrap()
}

fn pool(size: usize) -> Pool {
    Pool::new("test", options(), size, ACQUIRE_TIMEOUT)
}

/// A pool whose connections the server knows by a name of their own, and a connection
/// that watches them.
struct Watched {
    pool: Pool,
    name: String,
    watcher: PgConnection,
}

impl Watched {
    async fn new(size: usize) -> Self {
        let id = Rng::system().uuid_v7(Clock::system().now()).simple();
        let name = format!("pool_{id}");
        let pool = Pool::new("watched", options().application_name(&name), size, ACQUIRE_TIMEOUT);
        let watcher = PgConnection::connect_with(&options()).await.unwrap();
        Self { pool, name, watcher }
    }

    /// Returns the number of the pool's connections, and of those that run a statement or hold a
    /// lock.
    async fn activity(&mut self) -> (i64, i64) {
        let query = "SELECT count(*), count(*) FILTER (WHERE state <> 'idle')
                     FROM pg_stat_activity WHERE application_name = $1";
        sqlx::query_as(query).bind(&self.name).fetch_one(&mut self.watcher).await.unwrap()
    }

    /// Waits until no connection is busy; returns how long it took.
    async fn until_idle(&mut self) -> Duration {
        let started = Instant::now();
        while self.activity().await.1 != 0 {
            assert!(started.elapsed() < Duration::from_secs(20), "{:?}", self.activity().await);
            sleep(Duration::from_millis(2)).await;
        }
        started.elapsed()
    }

    /// Waits until a statement runs `pg_sleep`. A statement that is being prepared counts as busy,
    /// too.
    async fn until_asleep(&mut self) {
        let query = "SELECT count(*) FROM pg_stat_activity
                     WHERE application_name = $1 AND wait_event = 'PgSleep'";
        let started = Instant::now();
        loop {
            let asleep = sqlx::query_scalar::<_, i64>(query).bind(&self.name);
            if asleep.fetch_one(&mut self.watcher).await.unwrap() > 0 {
                return;
            }
            assert!(started.elapsed() < Duration::from_secs(20), "no statement sleeps");
            sleep(Duration::from_millis(2)).await;
        }
    }
}

/// Runs a statement in a transaction, for an hour if it is not cancelled.
async fn hang(pool: &Pool, statement: &'static str) {
    let mut tx = pool.begin().await.unwrap();
    sqlx::query(statement).execute(&mut *tx).await.unwrap();
    sleep(Duration::from_hours(1)).await;
}

async fn backend(conn: &mut PgConnection) -> i32 {
    sqlx::query_scalar("SELECT pg_backend_pid()").fetch_one(conn).await.unwrap()
}

async fn transaction_is_open(conn: &mut PgConnection) -> bool {
    // Inside a transaction now() does not advance.
    let start = "SELECT now()::text";
    let first: String = sqlx::query_scalar(start).fetch_one(&mut *conn).await.unwrap();
    let second: String = sqlx::query_scalar(start).fetch_one(&mut *conn).await.unwrap();
    first == second
}

#[tokio::test]
async fn a_connection_is_used_again() {
    let pool = pool(1);
    let first = backend(&mut pool.acquire().await.unwrap()).await;
    assert_eq!(backend(&mut pool.acquire().await.unwrap()).await, first);
    assert_eq!(pool.usage(), (0, 1));
}

#[tokio::test]
async fn a_dropped_transaction_is_rolled_back_before_the_next_use() {
    let pool = pool(1);
    let mut tx = pool.begin().await.unwrap();
    sqlx::query("CREATE TEMPORARY TABLE t (n int)").execute(&mut *tx).await.unwrap();
    drop(tx);
    let mut conn = pool.acquire().await.unwrap();
    assert!(!transaction_is_open(&mut conn).await);
    let gone = sqlx::query("SELECT n FROM t").execute(&mut *conn).await;
    assert!(gone.is_err(), "the table was rolled back");
}

#[tokio::test]
async fn a_cancelled_statement_disturbs_no_later_caller() {
    let pool = pool(1);
    for _ in 0..20 {
        let sleeping = async {
            let mut tx = pool.begin().await.unwrap();
            sqlx::query("SELECT pg_sleep(0.05)").execute(&mut *tx).await.unwrap();
        };
        let _ = timeout(Duration::from_millis(3), sleeping).await;
        let mut conn = pool.acquire().await.unwrap();
        let one: i32 = sqlx::query_scalar("SELECT 1").fetch_one(&mut *conn).await.unwrap();
        assert_eq!(one, 1);
        assert!(!transaction_is_open(&mut conn).await);
    }
}

#[tokio::test]
async fn a_begin_that_is_cancelled_leaves_no_open_transaction() {
    let pool = pool(1);
    drop(pool.acquire().await.unwrap());
    for _ in 0..50 {
        {
            let mut begin = pin!(pool.begin());
            let _ = begin.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        }
        let mut conn = pool.acquire().await.unwrap();
        assert!(!transaction_is_open(&mut conn).await);
    }
}

#[tokio::test]
async fn a_broken_connection_is_replaced() {
    let pool = pool(2);
    let mut victim = pool.acquire().await.unwrap();
    let pid = backend(&mut victim).await;
    let mut other = pool.acquire().await.unwrap();
    let kill = sqlx::query("SELECT pg_terminate_backend($1)").bind(pid);
    kill.execute(&mut *other).await.unwrap();
    assert!(sqlx::query("SELECT 1").execute(&mut *victim).await.is_err());
    drop((victim, other));
    for _ in 0..2 {
        let mut conn = pool.acquire().await.unwrap();
        sqlx::query("SELECT 1").execute(&mut *conn).await.unwrap();
    }
}

#[tokio::test]
async fn a_caller_that_finds_no_connection_is_told_in_time() {
    let pool = Pool::new("test", options(), 1, Duration::from_millis(50));
    let _held = pool.acquire().await.unwrap();
    let refused = pool.acquire().await;
    assert!(matches!(refused, Err(sqlx::Error::PoolTimedOut)));
}

#[tokio::test]
async fn a_dropped_statement_is_cancelled_at_the_server() {
    let mut watched = Watched::new(1).await;
    let pool = watched.pool.clone();
    let pid = backend(&mut pool.acquire().await.unwrap()).await;
    {
        let mut conn = pool.acquire().await.unwrap();
        let mut sleeping = pin!(sqlx::query("SELECT pg_sleep(60)").execute(&mut *conn));
        tokio::select! {
            _ = &mut sleeping => unreachable!("it sleeps for a minute"),
            () = watched.until_asleep() => {}
        }
    }
    let took = watched.until_idle().await;
    assert!(took < Duration::from_secs(2), "{took:?}");
    let mut conn = pool.acquire().await.unwrap();
    assert_eq!(backend(&mut conn).await, pid, "the connection is used again");
    assert!(!transaction_is_open(&mut conn).await);
    assert_eq!(watched.activity().await.0, 2, "the pool's, and the one that cancels");
}

#[tokio::test]
async fn a_cancelled_transaction_releases_its_locks() {
    let mut watched = Watched::new(2).await;
    let pool = watched.pool.clone();
    // An advisory lock of a transaction, by a number that no other test uses.
    let key = i64::from(std::process::id()) << 20 | 1;
    let holds = async {
        let mut tx = pool.begin().await.unwrap();
        let lock = sqlx::query("SELECT pg_advisory_xact_lock($1), pg_sleep(60)").bind(key);
        lock.execute(&mut *tx).await.unwrap();
    };
    {
        let mut holds = pin!(holds);
        tokio::select! {
            () = &mut holds => unreachable!("it sleeps for a minute"),
            () = watched.until_asleep() => {}
        }
    }
    let waits = async {
        let mut tx = pool.begin().await.unwrap();
        let lock = sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(key);
        lock.execute(&mut *tx).await.unwrap();
    };
    timeout(Duration::from_secs(2), waits).await.expect("the lock is free");
    watched.until_idle().await;
}

#[tokio::test]
async fn a_statement_that_ends_by_itself_is_not_cancelled() {
    let mut watched = Watched::new(1).await;
    let pool = watched.pool.clone();
    for _ in 0..5 {
        let _ = timeout(Duration::from_millis(5), hang(&pool, "SELECT pg_sleep(0.01)")).await;
        let mut conn = pool.acquire().await.unwrap();
        assert!(!transaction_is_open(&mut conn).await);
    }
    assert_eq!(watched.activity().await.0, 1, "no connection was needed to cancel");
}

#[tokio::test]
async fn a_hundred_cancelled_calls_exhaust_nothing() {
    let mut watched = Watched::new(8).await;
    let pool = &watched.pool.clone();
    // Each call sleeps for a minute as soon as it has a connection, and is dropped after 20 ms.
    let calls = (0..100).map(|_| async {
        let mut conn = pool.acquire().await.unwrap();
        let sleeping = sqlx::query("SELECT pg_sleep(60)").execute(&mut *conn);
        assert!(timeout(Duration::from_millis(20), sleeping).await.is_err());
    });
    let started = Instant::now();
    futures_util::future::join_all(calls).await;
    watched.until_idle().await;
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    let connections = watched.activity().await.0;
    assert!(connections <= 9, "{connections} connections: the pool's, and one that cancels");
    // All connections work, each in a transaction of its own.
    let calls = (0..8).map(|_| async {
        let mut conn = pool.acquire().await.unwrap();
        assert!(!transaction_is_open(&mut conn).await);
        let one: i32 = sqlx::query_scalar("SELECT 1").fetch_one(&mut *conn).await.unwrap();
        assert_eq!(one, 1);
    });
    futures_util::future::join_all(calls).await;
    // A connection is given back a moment after it is dropped.
    while pool.usage().0 != 0 {
        assert!(started.elapsed() < Duration::from_secs(40), "{:?}", pool.usage());
        sleep(Duration::from_millis(2)).await;
    }
}

#[tokio::test]
async fn a_cancel_that_races_the_end_of_a_statement_hits_no_later_one() {
    let pool = pool(1);
    for delay in 0..60 {
        // The statements end around the grace, when the cancel is sent.
        let statement = format!("SELECT pg_sleep({})", f64::from(40 + delay % 30) / 1000.0);
        let sleeping = async {
            let mut tx = pool.begin().await.unwrap();
            let query = sqlx::query(sqlx::AssertSqlSafe(statement));
            query.execute(&mut *tx).await.unwrap();
            sleep(Duration::from_hours(1)).await;
        };
        let _ = timeout(Duration::from_millis(5), sleeping).await;
        let mut conn = pool.acquire().await.unwrap();
        let short = sqlx::query("SELECT pg_sleep(0.002)").execute(&mut *conn).await;
        short.expect("no signal was left over");
    }
}

#[tokio::test]
async fn a_commit_whose_caller_has_gone_is_not_cancelled() {
    let mut watched = Watched::new(1).await;
    let pool = watched.pool.clone();
    let table = format!("commit_{}", watched.name);
    // A deferred constraint makes the commit take longer than the grace.
    let create = format!(
        "CREATE TABLE {table} (n int);
         CREATE FUNCTION {table}() RETURNS trigger LANGUAGE plpgsql
             AS 'BEGIN PERFORM pg_sleep(0.5); RETURN NULL; END';
         CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON {table}
             DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION {table}();"
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(create)).execute(&mut watched.watcher).await.unwrap();
    let mut tx = pool.begin().await.unwrap();
    let insert = format!("INSERT INTO {table} VALUES (1)");
    sqlx::query(sqlx::AssertSqlSafe(insert)).execute(&mut *tx).await.unwrap();
    assert!(timeout(Duration::from_millis(100), tx.commit()).await.is_err());
    let mut conn = pool.acquire().await.unwrap();
    let count = format!("SELECT count(*) FROM {table}");
    let count: i64 =
        sqlx::query_scalar(sqlx::AssertSqlSafe(count)).fetch_one(&mut *conn).await.unwrap();
    assert_eq!(count, 1, "it was committed");
    let drop = format!("DROP TABLE {table}; DROP FUNCTION {table}()");
    sqlx::raw_sql(sqlx::AssertSqlSafe(drop)).execute(&mut watched.watcher).await.unwrap();
}

#[tokio::test]
async fn connections_and_timeouts_are_measured() {
    let metrics = crate::telemetry::metrics().expect("the recorder");
    let value = |name: &str| {
        let text = metrics.render();
        let line = text.lines().find(|line| line.starts_with(name)).map(str::to_owned);
        line.and_then(|line| line.rsplit(' ').next()?.parse::<f64>().ok())
    };
    let used = r#"db_connections{pool="measured",state="used"}"#;
    let idle = r#"db_connections{pool="measured",state="idle"}"#;
    let pool = Pool::new("measured", options(), 2, Duration::from_millis(50));
    let (first, second) = (pool.acquire().await.unwrap(), pool.begin().await.unwrap());
    assert_eq!((value(used), value(idle)), (Some(2.0), Some(0.0)));
    assert!(pool.acquire().await.is_err());
    assert_eq!(value(r#"db_acquire_timeouts_total{pool="measured"}"#), Some(1.0));
    drop(first);
    assert_eq!((value(used), value(idle)), (Some(1.0), Some(1.0)));
    second.commit().await.unwrap();
    assert_eq!((value(used), value(idle)), (Some(0.0), Some(2.0)));

    // A connection that breaks is neither used nor idle.
    let mut victim = pool.acquire().await.unwrap();
    let pid = backend(&mut victim).await;
    let mut other = pool.acquire().await.unwrap();
    let kill = sqlx::query("SELECT pg_terminate_backend($1)").bind(pid);
    kill.execute(&mut *other).await.unwrap();
    assert!(sqlx::query("SELECT 1").execute(&mut *victim).await.is_err());
    drop((victim, other));
    while (value(used), value(idle)) != (Some(0.0), Some(1.0)) {
        sleep(Duration::from_millis(5)).await;
    }
    drop(pool);
    while value(idle) != Some(0.0) {
        sleep(Duration::from_millis(5)).await;
    }
}
