//! Upstreams that are out, against a real Postgres.

use std::{
    collections::HashMap,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
};

use tokio::time::{Instant, sleep};
use tonic::Status;

use super::{
    measure::measure,
    tests::{LIMITS, TOPIC, World, stateless},
    *,
};

/// An upstream that a test switches off, with counts of the calls to it.
#[derive(Clone, Default)]
struct Upstream {
    out: Arc<AtomicBool>,
    in_flight: Arc<AtomicUsize>,
    most_in_flight: Arc<AtomicUsize>,
    refused: Arc<AtomicUsize>,
    /// The attempt at which each row was delivered.
    delivered: Arc<Mutex<HashMap<Uuid, i32>>>,
}

impl Upstream {
    fn switch(&self, out: bool) {
        self.out.store(out, Ordering::SeqCst);
    }

    fn delivered(&self) -> usize {
        self.delivered.lock().unwrap().len()
    }

    /// Answers a call. A refusal takes `delay`.
    async fn call(self, event: Event, delay: Duration) -> anyhow::Result<()> {
        let in_flight = self.in_flight.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_in_flight.fetch_max(in_flight, Ordering::SeqCst);
        let out = self.out.load(Ordering::SeqCst);
        if out {
            sleep(delay).await;
        }
        self.in_flight.fetch_sub(1, Ordering::SeqCst);
        if out {
            self.refused.fetch_add(1, Ordering::SeqCst);
            return Err(anyhow::Error::from(Status::unavailable("no route")).context("notify"));
        }
        self.delivered.lock().unwrap().insert(event.id, event.attempt);
        Ok(())
    }
}

impl World {
    async fn put_many(&self, topic: &'static str, rows: usize) {
        let mut conn = self.db.acquire().await.unwrap();
        sqlx::query(
            "INSERT INTO outbox (topic, id, payload, due_at, created_at)
             SELECT $1, gen_random_uuid(), '0', now(), now() FROM generate_series(1, $2)",
        )
        .bind(topic)
        .bind(i32::try_from(rows).unwrap())
        .execute(&mut *conn)
        .await
        .unwrap();
        drop(conn);
        self.notifier.notify(topic);
    }
}

async fn reaches(what: &str, mut reached: impl FnMut() -> bool) -> Duration {
    let started = Instant::now();
    while !reached() {
        assert!(started.elapsed() < Duration::from_secs(30), "{what}");
        sleep(Duration::from_millis(2)).await;
    }
    started.elapsed()
}

fn waiting(topic: &str) -> bool {
    let metrics = crate::telemetry::metrics().expect("the recorder").render();
    let series = format!("outbox_waiting{{topic=\"{topic}\"}} 1");
    metrics.lines().any(|line| line == series)
}

#[tokio::test]
#[expect(clippy::print_stdout, reason = "docs/decisions/0019 has the figure")]
async fn rows_wait_for_an_upstream_that_is_out_and_are_delivered_when_it_is_back() {
    const OUT: &str = "outage";
    const ROWS: usize = 1_000;
    const OTHERS: usize = 300;
    crate::telemetry::metrics();
    let world = World::new().await;
    let (upstream, other) = (Upstream::default(), Upstream::default());
    let handler = |upstream: &Upstream| {
        let upstream = upstream.clone();
        move |event| upstream.clone().call(event, Duration::from_millis(50))
    };
    let relay = world
        .relay()
        .on(OUT, stateless(handler(&upstream)))
        .on("unaffected", stateless(handler(&other)));
    relay.start(&world.shutdown);
    // The outage begins while the topic is busy.
    world.put_many(OUT, 100).await;
    reaches("the first rows are delivered", || upstream.delivered() >= 50).await;
    upstream.switch(true);
    world.put_many(OUT, ROWS - 100).await;
    reaches("the topic waits", || waiting(OUT)).await;
    // Rows that were handed over before the topic waited may follow those in flight.
    let mut quiet_since = Instant::now();
    reaches("what was handed over ends", || {
        if upstream.in_flight.load(Ordering::SeqCst) > 0 {
            quiet_since = Instant::now();
        }
        quiet_since.elapsed() > Duration::from_millis(100)
    })
    .await;
    let refused = upstream.refused.load(Ordering::SeqCst);
    assert!(refused <= 64, "{refused} calls before it waited");

    upstream.most_in_flight.store(0, Ordering::SeqCst);
    world.put_many("unaffected", OTHERS).await;
    let took = reaches("the other topic", || other.delivered() == OTHERS).await;
    assert!(took < Duration::from_secs(5), "{took:?}");
    sleep(Duration::from_secs(2)).await;
    assert_eq!(upstream.most_in_flight.load(Ordering::SeqCst), 1, "one probe at a time");
    let probes = upstream.refused.load(Ordering::SeqCst) - refused;
    assert!((2..=20).contains(&probes), "{probes} probes in the outage");
    assert!(waiting(OUT));

    upstream.switch(false);
    let took = reaches("all rows", || upstream.delivered() == ROWS).await;
    println!("{ROWS} rows were drained {took:?} after the upstream was back");
    assert!(took < Duration::from_secs(10), "{took:?}");
    assert!(!waiting(OUT));
    let delivered = upstream.delivered.lock().unwrap().clone();
    assert!(delivered.values().all(|attempt| *attempt == 1), "no attempt was counted");
    world.shutdown.stop();
    assert!(world.shutdown.drained(Duration::from_secs(10)).await);
}

#[tokio::test]
async fn an_outage_longer_than_all_attempts_makes_no_dead_letter() {
    const OUT: &str = "long-outage";
    let world = World::new().await;
    let upstream = Upstream::default();
    upstream.switch(true);
    let calls = upstream.clone();
    let handler = move |event| calls.clone().call(event, Duration::ZERO);
    world.put_many(OUT, 1).await;
    world.relay().on(OUT, stateless(handler)).start(&world.shutdown);
    let many = 4 * usize::try_from(LIMITS.attempts).unwrap();
    reaches("more tries than a dead letter has", || upstream.refused.load(Ordering::SeqCst) > many)
        .await;
    upstream.switch(false);
    reaches("it is delivered", || upstream.delivered() == 1).await;
    assert_eq!(measure(&world.db).await.unwrap().first().map_or(0, |topic| topic.dead_letters), 0);
    world.shutdown.stop();
}

#[tokio::test]
async fn a_row_whose_calls_alone_are_unavailable_becomes_a_dead_letter_and_stops_no_other() {
    let world = World::new().await;
    let upstream = Upstream::default();
    let calls = upstream.clone();
    let poisoned = Arc::new(Mutex::new(None));
    let poison = Arc::clone(&poisoned);
    // The first row is the one that always fails.
    let handler = move |event: Event| {
        let id = *poison.lock().unwrap().get_or_insert(event.id);
        let calls = calls.clone();
        async move {
            if event.id == id {
                return Err(Status::unavailable("for this row").into());
            }
            calls.call(event, Duration::ZERO).await
        }
    };
    world.put(TOPIC).await;
    world.relay().on(TOPIC, stateless(handler)).start(&world.shutdown);
    reaches("its first try", || poisoned.lock().unwrap().is_some()).await;
    let mut others = 0;
    while measure(&world.db).await.unwrap().iter().all(|topic| topic.dead_letters == 0) {
        world.put(TOPIC).await;
        others += 1;
        assert!(others < 1_000, "it is never given up");
        reaches("another row", || upstream.delivered() == others).await;
        world.make_due().await;
    }
    world.until(Some((LIMITS.attempts, true))).await;
    world.shutdown.stop();
}
