//! Against a real Postgres, in a schema of each test's own.

use std::{
    str::FromStr as _,
    sync::atomic::{AtomicI32, Ordering},
};

use sqlx::{AssertSqlSafe, Connection as _, PgPool, postgres::PgConnectOptions};
use time::OffsetDateTime;
use tokio::sync::mpsc;

use super::*;
use crate::Shutdown;

const TOPIC: &str = "test";

struct World {
    pool: PgPool,
    clock: Clock,
    shutdown: Shutdown,
}

impl World {
    async fn new() -> Self {
        let clock = Clock::settable(Clock::system().now());
        let url = std::env::var("TEST_DATABASE_URL").expect("a Postgres for tests");
        let schema = format!("outbox_{}", Chance::system().uuid_v7(clock.now()).simple());
        let options = PgConnectOptions::from_str(&url).unwrap();
        let mut conn = PgConnection::connect_with(&options).await.unwrap();
        sqlx::raw_sql(AssertSqlSafe(format!("CREATE SCHEMA {schema}")))
            .execute(&mut conn)
            .await
            .unwrap();
        let pool = PgPool::connect_with(options.options([("search_path", schema)])).await.unwrap();
        // The table as the module's own page has it.
        let page = include_str!("mod.rs");
        let sql = page.split("```").nth(1).unwrap().trim_start_matches("sql").replace("//!", "");
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&pool).await.unwrap();
        Self { pool, clock, shutdown: Shutdown::new() }
    }

    fn relay(&self) -> Relay {
        Relay::new(self.pool.clone(), self.clock.clone(), Bell::default())
    }

    async fn owe(&self) {
        let mut conn = self.pool.acquire().await.unwrap();
        put(&mut conn, &self.clock, &Chance::system(), TOPIC, &"payload").await.unwrap();
    }

    /// Waits until the row is as it shall be, and in nobody's hands.
    async fn until(&self, settled: impl Fn(Option<(i32, bool)>) -> bool) {
        loop {
            let query = "SELECT attempts, parked_at IS NOT NULL, due_at FROM outbox";
            let row: Option<(i32, bool, OffsetDateTime)> =
                sqlx::query_as(query).fetch_optional(&self.pool).await.unwrap();
            // A lease is 45 s from now, and a postponement is not.
            let leased = row.is_some_and(|(_, parked, due_at)| {
                let left = due_at - self.clock.now();
                !parked && (left.whole_seconds() == 45 || left.whole_seconds() == 44)
            });
            let row = row.map(|(attempts, parked, _)| (attempts, parked));
            if !leased && settled(row) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

#[tokio::test]
async fn what_never_succeeds_is_parked_and_can_be_sent_on_its_way_again() {
    let world = World::new().await;
    world.owe().await;
    let (told, mut tries) = mpsc::unbounded_channel();
    let mended = Arc::new(AtomicI32::new(0));
    let state = mended.clone();
    let handler = move |event: Event| {
        told.send(event.attempt).unwrap();
        let mended = state.load(Ordering::SeqCst) == 1;
        async move { if mended { Ok(()) } else { anyhow::bail!("as expected by this test") } }
    };
    let other = async |_: Event| Ok(());
    world.relay().on(TOPIC, handler).on("other", other).give_up_after(3).start(&world.shutdown);
    for attempt in 1..=3 {
        assert_eq!(tries.recv().await, Some(attempt));
        world.until(|row| row == Some((attempt, attempt == 3))).await;
        world.clock.advance(Duration::from_mins(5));
    }
    let measured = world.relay().on(TOPIC, other).on("other", other).left().await.unwrap();
    for left in measured {
        let parked = if left.topic == TOPIC { 1.0 } else { 0.0 };
        assert_eq!((left.oldest, left.parked), (None, parked), "{}", left.topic);
    }

    mended.store(1, Ordering::SeqCst);
    let again = "UPDATE outbox SET parked_at = NULL, attempts = 0";
    sqlx::query(again).execute(&world.pool).await.unwrap();
    // A parked one was not taken meanwhile, however often they looked.
    assert_eq!(tries.recv().await, Some(1));
    world.until(|row| row.is_none()).await;
    world.shutdown.stop();
}

#[tokio::test]
async fn later_is_no_failure_and_no_try() {
    let world = World::new().await;
    world.owe().await;
    let owed_at = world.clock.now();
    let calls = Arc::new(AtomicI32::new(0));
    let count = calls.clone();
    let handler = move |event: Event| {
        assert_eq!(event.attempt, 1);
        let call = count.fetch_add(1, Ordering::SeqCst);
        async move {
            let pause = Duration::from_mins(1);
            Ok(if call < 5 { Delivery::Later(pause) } else { Delivery::Done })
        }
    };
    world.relay().on(TOPIC, handler).give_up_after(1).start(&world.shutdown);
    for call in 1..=5 {
        while calls.load(Ordering::SeqCst) < call {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        world.until(|row| row == Some((0, false))).await;
        let left = world.relay().on(TOPIC, async |_| Ok(())).left().await.unwrap();
        let oldest = left[0].oldest.unwrap();
        assert!((oldest - owed_at).abs() < time::Duration::MILLISECOND);
        world.clock.advance(Duration::from_mins(1));
    }
    world.until(|row| row.is_none()).await;
    world.shutdown.stop();
}
