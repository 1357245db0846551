//! Tests against a real Postgres, each in a schema of its own.

use std::{
    os::unix::process::ExitStatusExt as _,
    str::FromStr as _,
    sync::atomic::{AtomicI32, AtomicUsize, Ordering},
};

use sqlx::{AssertSqlSafe, Connection as _, postgres::PgConnectOptions};
use tokio::sync::mpsc;

use super::{
    circuit::ProbePauses,
    measure::measure,
    settle::REMOVE,
    take::{Limits, TAKE},
    *,
};
use crate::{Shutdown, db::Pool};

pub(super) const TOPIC: &str = "test";
pub(super) const LIMITS: Limits = Limits {
    attempts: 3,
    crashes: 10,
    lease: Duration::from_secs(45),
    outage_pause: Duration::from_millis(20),
    probes: ProbePauses { first: Duration::from_millis(30), longest: Duration::from_millis(300) },
};

pub(super) struct World {
    schema: String,
    pub(super) db: Pool,
    pub(super) notifier: OutboxNotifier,
    pub(super) shutdown: Shutdown,
}

fn options() -> PgConnectOptions {
    let url = std::env::var("TEST_DATABASE_URL").expect("a Postgres for tests");
    PgConnectOptions::from_str(&url).unwrap()
}

impl World {
    pub(super) async fn new() -> Self {
        let id = Rng::system().uuid_v7(Clock::system().now()).simple();
        let schema = format!("outbox_{id}");
        let mut conn = PgConnection::connect_with(&options()).await.unwrap();
        let create = format!("CREATE SCHEMA {schema}; SET search_path = {schema}; {TABLE}");
        sqlx::raw_sql(AssertSqlSafe(create)).execute(&mut conn).await.unwrap();
        Self::open(schema)
    }

    fn open(schema: String) -> Self {
        let options = options().options([("search_path", schema.clone())]);
        let db = Pool::new("test", options, 8, Duration::from_mins(1));
        Self { schema, db, notifier: OutboxNotifier::default(), shutdown: Shutdown::new() }
    }

    /// A relay without state.
    pub(super) fn relay(&self) -> Relay<()> {
        Relay::new(self.db.clone(), self.notifier.clone(), ()).limits(LIMITS)
    }

    pub(super) async fn put(&self, topic: &'static str) {
        let mut conn = self.db.acquire().await.unwrap();
        put(&mut conn, &Clock::system(), &Rng::system(), topic, &"payload").await.unwrap();
        self.notifier.notify(topic);
    }

    /// Runs a statement; returns how many rows it touched.
    async fn execute(&self, sql: &'static str) -> u64 {
        let mut conn = self.db.acquire().await.unwrap();
        sqlx::query(sql).execute(&mut *conn).await.unwrap().rows_affected()
    }

    /// Makes all rows due that are not in a handler's hands.
    pub(super) async fn make_due(&self) {
        self.execute("UPDATE outbox SET due_at = now() WHERE NOT leased").await;
        self.notifier.notify(TOPIC);
    }

    /// Waits until the only row has this number of attempts, is or is not a dead letter, and is not
    /// leased; or, for `None`, until there is no row.
    pub(super) async fn until(&self, expected: Option<(i32, bool)>) {
        loop {
            let mut conn = self.db.acquire().await.unwrap();
            let row: Option<(i32, bool, bool)> =
                sqlx::query_as("SELECT attempts, parked_at IS NOT NULL, leased FROM outbox")
                    .fetch_optional(&mut *conn)
                    .await
                    .unwrap();
            drop(conn);
            let settled = row.is_none_or(|(_, _, leased)| !leased);
            if settled && row.map(|(attempts, parked, _)| (attempts, parked)) == expected {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

/// The handler of a relay without state.
pub(super) fn stateless<D, Fut: Future<Output = anyhow::Result<D>>>(
    handler: impl Fn(Event) -> Fut,
) -> impl Fn((), Event) -> Fut {
    move |(), event| handler(event)
}

#[tokio::test]
async fn rows_are_taken_and_removed_by_an_index_also_with_plans_made_for_an_empty_table() {
    let world = World::new().await;
    let mut conn = world.db.by_index("test", 1).acquire().await.unwrap();
    let taking = sqlx::query_scalar(AssertSqlSafe(format!("EXPLAIN {TAKE}")));
    let taking = taking.bind(TOPIC).bind(32_i64).bind(45.0).bind(3).bind(10);
    let taking: Vec<String> = taking.fetch_all(&mut *conn).await.unwrap();
    let removing = sqlx::query_scalar(AssertSqlSafe(format!("EXPLAIN {REMOVE}")));
    let removing = removing.bind(TOPIC).bind(vec![Uuid::nil()]);
    let removing: Vec<String> = removing.fetch_all(&mut *conn).await.unwrap();
    for (plan, index) in [(taking.join("\n"), "outbox_due"), (removing.join("\n"), "outbox_pkey")] {
        assert!(plan.contains(&format!("Scan using {index}")), "{plan}");
        assert!(plan.contains("Tid Scan on outbox"), "{plan}");
        assert!(!plan.contains("Seq Scan") && !plan.contains("Filter: (id"), "{plan}");
    }
}

#[tokio::test]
async fn a_row_that_keeps_failing_becomes_a_dead_letter_and_can_be_retried() {
    let world = World::new().await;
    world.put(TOPIC).await;
    let (sender, mut tries) = mpsc::unbounded_channel();
    let fixed = Arc::new(AtomicI32::new(0));
    let state = Arc::clone(&fixed);
    let handler = move |event: Event| {
        sender.send(event.attempt).unwrap();
        let fixed = state.load(Ordering::SeqCst) == 1;
        async move { if fixed { Ok(()) } else { anyhow::bail!("as this test expects") } }
    };
    world.relay().on(TOPIC, stateless(handler)).start(&world.shutdown);
    for attempt in 1..=3 {
        assert_eq!(tries.recv().await, Some(attempt));
        world.until(Some((attempt, attempt == 3))).await;
        world.make_due().await;
    }
    let states = measure(&world.db).await.unwrap();
    assert_eq!((states[0].topic.as_str(), states[0].dead_letters), (TOPIC, 1));

    fixed.store(1, Ordering::SeqCst);
    world.execute("UPDATE outbox SET parked_at = NULL, attempts = 0, crashes = 0").await;
    world.notifier.notify(TOPIC);
    assert_eq!(tries.recv().await, Some(1), "a dead letter was not tried meanwhile");
    world.until(None).await;
    world.shutdown.stop();
}

/// The schema that a process of the next test works in.
const KILLED_IN: &str = "OUTBOX_TEST_KILLED_IN";

/// Runs only in the processes that the next test starts: its handler kills its process.
#[tokio::test]
async fn a_handler_that_kills_its_process() {
    let Ok(schema) = std::env::var(KILLED_IN) else { return };
    let world = World::open(schema);
    let handler = |_: Event| -> BoxedDelivery {
        nix::sys::signal::raise(nix::sys::signal::SIGKILL).unwrap();
        Box::pin(std::future::pending())
    };
    let limits = Limits { attempts: 300, lease: Duration::from_millis(1), ..LIMITS };
    world.relay().limits(limits).on(TOPIC, stateless(handler)).start(&world.shutdown);
    std::future::pending::<()>().await;
}

#[tokio::test]
async fn a_row_whose_handler_kills_the_process_ten_times_becomes_a_dead_letter() {
    let world = World::new().await;
    world.put(TOPIC).await;
    for _ in 0..LIMITS.crashes {
        let mut process = tokio::process::Command::new(std::env::current_exe().unwrap());
        process.args(["--exact", "outbox::tests::a_handler_that_kills_its_process"]);
        let status = process.env(KILLED_IN, &world.schema).output().await.unwrap().status;
        assert_eq!(status.signal(), Some(9), "{status}");
    }
    let (sender, mut tries) = mpsc::unbounded_channel();
    let handler = move |event: Event| {
        sender.send(event.attempt).unwrap();
        async { Ok(()) }
    };
    let limits = Limits { attempts: 300, ..LIMITS };
    world.relay().limits(limits).on(TOPIC, stateless(handler)).start(&world.shutdown);
    while world.execute("SELECT FROM outbox WHERE parked_at IS NOT NULL").await == 0 {
        world.notifier.notify(TOPIC);
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(tries.try_recv().is_err(), "it is parked before it is handed over again");
    assert_eq!(measure(&world.db).await.unwrap()[0].dead_letters, 1, "what the alarm counts");
    world.shutdown.stop();
}

type BoxedDelivery = futures_util::future::BoxFuture<'static, anyhow::Result<()>>;

#[tokio::test]
async fn later_is_not_counted_as_a_try() {
    let world = World::new().await;
    world.put(TOPIC).await;
    let (sender, mut tries) = mpsc::unbounded_channel();
    let calls = Arc::new(AtomicI32::new(0));
    let handler = move |event: Event| {
        sender.send(event.attempt).unwrap();
        let call = calls.fetch_add(1, Ordering::SeqCst);
        async move {
            Ok(if call < 5 { Delivery::Later(Duration::from_mins(1)) } else { Delivery::Done })
        }
    };
    world.relay().on(TOPIC, stateless(handler)).start(&world.shutdown);
    for _ in 0..5 {
        assert_eq!(tries.recv().await, Some(1));
        world.until(Some((0, false))).await;
        world.make_due().await;
    }
    world.until(None).await;
    world.shutdown.stop();
}

#[tokio::test]
async fn a_delayed_row_is_delivered_unless_it_was_removed() {
    let world = World::new().await;
    let mut conn = world.db.acquire().await.unwrap();
    let ids = [Uuid::from_u128(1), Uuid::from_u128(2)];
    for id in ids {
        for _ in 0..2 {
            put_delayed(&mut conn, TOPIC, id, &"payload", Duration::from_mins(1)).await.unwrap();
        }
    }
    assert!(remove(&mut conn, TOPIC, ids[0]).await.unwrap());
    assert!(!remove(&mut conn, TOPIC, ids[0]).await.unwrap());
    let (sender, mut delivered) = mpsc::unbounded_channel();
    let handler = move |event: Event| {
        sender.send(event.id).unwrap();
        async { Ok(()) }
    };
    world.relay().on(TOPIC, stateless(handler)).start(&world.shutdown);
    // Another row shows that the relay took what was due.
    world.put(TOPIC).await;
    assert!(!ids.contains(&delivered.recv().await.unwrap()));
    world.make_due().await;
    assert_eq!(delivered.recv().await, Some(ids[1]));
    world.until(None).await;
    world.shutdown.stop();
}

#[tokio::test]
async fn a_topic_that_does_not_answer_does_not_slow_another() {
    const DEAD: &str = "dead";
    const ROWS: usize = 10_000;
    let world = World::new().await;
    let insert = "INSERT INTO outbox (topic, id, payload, due_at, created_at)
        SELECT topic, gen_random_uuid(), '0', now(), now()
        FROM unnest(ARRAY['test', 'dead']) AS topic, generate_series(1, 10000)";
    assert_eq!(world.execute(insert).await, 2 * ROWS as u64);
    let delivered = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&delivered);
    let live = move |_: Event| {
        count.fetch_add(1, Ordering::SeqCst);
        async { Ok(()) }
    };
    let dead = |_: Event| std::future::pending::<anyhow::Result<()>>();
    world.relay().on(TOPIC, stateless(live)).on(DEAD, stateless(dead)).start(&world.shutdown);
    while world.execute("SELECT FROM outbox WHERE topic = 'test' LIMIT 1").await > 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(delivered.load(Ordering::SeqCst), ROWS, "each is delivered once");
    world.shutdown.stop();
}

#[tokio::test]
async fn a_topic_that_no_relay_handles_is_found() {
    let world = World::new().await;
    world.put("forgotten").await;
    world.put(TOPIC).await;
    let states = measure(&world.db).await.unwrap();
    let topics: Vec<&str> = states.iter().map(|state| state.topic.as_str()).collect();
    assert_eq!(topics, ["forgotten", TOPIC]);
}
