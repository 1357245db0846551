//! Delivers the rows of the outbox.

use std::{collections::BTreeMap, future::Future, sync::Arc, time::Duration};

use anyhow::{Context as _, anyhow};
use futures_util::future::BoxFuture;
use metrics::counter;
use serde::de::DeserializeOwned;
use tokio::{
    sync::{Notify, OwnedSemaphorePermit, Semaphore, mpsc, oneshot},
    time::{Instant, sleep_until, timeout},
};
use tracing::{Instrument, error, warn};
use uuid::Uuid;

use super::{
    Delivery, Event, OutboxNotifier,
    circuit::{Circuit, ProbePauses},
    measure::measure_until_stop,
    settle::{DeliveryOutcome, Settled, settle},
    take::{self, Limits, Row},
};
use crate::{Shutdown, backoff::backoff, db::Pool, entry_span, fault, telemetry};

/// Connections that rows are taken and settled with.
const CONNECTIONS: usize = 3;
/// Most deliveries in flight for a topic.
const PERMITS: u32 = 32;
/// Most deliveries in flight for a topic whose handler makes the calls of many deliveries together.
const PERMITS_OF_BATCHES: u32 = 128;
/// Most deliveries in flight for a topic whose deliveries are long and hold a connection.
const PERMITS_OF_LONG: u32 = 2;
/// Rows are taken when half of the permits are free, or when one is free and this time has
/// passed: few statements under load, and a short wait without load.
const TAKE_DELAY: Duration = Duration::from_millis(20);
/// Longest that taking rows may take: a database host that vanished does not answer.
const TAKE_LIMIT: Duration = Duration::from_secs(10);
/// The polling interval without a notification.
const POLL: Duration = Duration::from_secs(1);
/// Longest that one delivery may take.
const DELIVERY_LIMIT: Duration = Duration::from_secs(35);
/// After this long another relay may take the row; longer than a delivery takes.
const LEASE: Duration = Duration::from_secs(45);
/// Tries that may fail before a row becomes a dead letter: about a day of them.
const MAX_ATTEMPTS: i32 = 300;
/// Tries that may crash before a row becomes a dead letter.
const MAX_CRASHES: i32 = 10;
/// The pause of a row whose upstream is out. Short, because the circuit sets the pace, and
/// long enough that the next probe takes another row, if there is one.
const OUTAGE_PAUSE: Duration = Duration::from_secs(1);
/// The probes of a topic whose upstream is out.
const PROBES: ProbePauses =
    ProbePauses { first: Duration::from_secs(1), longest: Duration::from_secs(8) };

type Handler = Arc<dyn Fn(Event) -> BoxFuture<'static, anyhow::Result<Delivery>> + Send + Sync>;

/// How a topic is delivered.
struct Topic {
    handler: Handler,
    permits: u32,
}

/// The argument of a handler: the event itself, or its payload.
pub trait FromEvent: Sized {
    /// Reads the event.
    ///
    /// # Errors
    /// Fails when the payload has another form.
    fn from_event(event: Event) -> anyhow::Result<Self>;
}

impl FromEvent for Event {
    fn from_event(event: Event) -> anyhow::Result<Self> {
        Ok(event)
    }
}

impl<P: DeserializeOwned> FromEvent for P {
    fn from_event(event: Event) -> anyhow::Result<Self> {
        event.payload()
    }
}

/// Delivers the rows of its topics, each topic by itself. Each delivery gets a clone of the state.
pub struct Relay<S> {
    state: S,
    db: Pool,
    notifier: OutboxNotifier,
    topics: BTreeMap<&'static str, Topic>,
    limits: Limits,
}

impl<S: Clone + Send + Sync + 'static> Relay<S> {
    /// A relay without topics. Give it the pool for jobs; the relay has connections of its own
    /// beside it.
    pub fn new(db: Pool, notifier: OutboxNotifier, state: S) -> Self {
        let limits = Limits {
            attempts: MAX_ATTEMPTS,
            crashes: MAX_CRASHES,
            lease: LEASE,
            outage_pause: OUTAGE_PAUSE,
            probes: PROBES,
        };
        Self { state, db, notifier, topics: BTreeMap::new(), limits }
    }

    /// Delivers a topic to `handler`.
    #[must_use]
    pub fn on<P, F, Fut, D, E>(self, topic: &'static str, handler: F) -> Self
    where
        P: FromEvent + 'static,
        F: Fn(S, P) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<D, E>> + Send + 'static,
        D: Into<Delivery>,
        E: Into<anyhow::Error>,
    {
        self.with(topic, handler, PERMITS)
    }

    /// Delivers a topic to a handler that makes the calls of many deliveries together.
    #[must_use]
    pub fn on_batches<P, F, Fut, D, E>(self, topic: &'static str, handler: F) -> Self
    where
        P: FromEvent + 'static,
        F: Fn(S, P) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<D, E>> + Send + 'static,
        D: Into<Delivery>,
        E: Into<anyhow::Error>,
    {
        self.with(topic, handler, PERMITS_OF_BATCHES)
    }

    /// Delivers a topic to a handler whose deliveries are long and hold a connection of the pool for
    /// jobs, two at a time.
    #[must_use]
    pub fn on_long<P, F, Fut, D, E>(self, topic: &'static str, handler: F) -> Self
    where
        P: FromEvent + 'static,
        F: Fn(S, P) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<D, E>> + Send + 'static,
        D: Into<Delivery>,
        E: Into<anyhow::Error>,
    {
        self.with(topic, handler, PERMITS_OF_LONG)
    }

    fn with<P, F, Fut, D, E>(mut self, topic: &'static str, handler: F, permits: u32) -> Self
    where
        P: FromEvent + 'static,
        F: Fn(S, P) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<D, E>> + Send + 'static,
        D: Into<Delivery>,
        E: Into<anyhow::Error>,
    {
        let state = self.state.clone();
        let handler: Handler = Arc::new(move |event| {
            let delivery = P::from_event(event).map(|argument| handler(state.clone(), argument));
            Box::pin(async move { delivery?.await.map(Into::into).map_err(Into::into) })
        });
        self.topics.insert(topic, Topic { handler, permits });
        self
    }

    /// Sets other limits, for tests.
    #[cfg(test)]
    pub(super) fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Delivers until the stop.
    pub fn start(self, shutdown: &Shutdown) {
        let topics: Vec<&'static str> = self.topics.keys().copied().collect();
        let db = self.db.by_index("outbox", CONNECTIONS);
        shutdown
            .spawn("outbox gauges", measure_until_stop(self.db.clone(), topics, shutdown.clone()));
        for (topic, Topic { handler, permits }) in self.topics {
            // Each outcome in the channel holds a permit, so there are at most as many as permits.
            let (settled, outcomes) = mpsc::unbounded_channel();
            let relay = TopicRelay {
                topic,
                handler,
                db: db.clone(),
                limits: self.limits,
                permits: Arc::new(Semaphore::new(permits as usize)),
                half: permits / 2,
                circuit: Circuit::new(topic, self.limits.probes),
                settled,
            };
            // The task ends when the last delivery has dropped its sender.
            shutdown.spawn("outbox settling", settle(db.clone(), topic, outcomes));
            let notified = self.notifier.of(topic);
            shutdown.spawn("outbox", Arc::new(relay).run(notified, shutdown.clone()));
        }
    }
}

/// The relay of one topic.
struct TopicRelay {
    topic: &'static str,
    handler: Handler,
    db: Pool,
    limits: Limits,
    permits: Arc<Semaphore>,
    half: u32,
    circuit: Circuit,
    settled: mpsc::UnboundedSender<Settled>,
}

impl TopicRelay {
    async fn run(self: Arc<Self>, notified: Arc<Notify>, stop: Shutdown) {
        while !stop.is_stopping() {
            let round = match self.circuit.probe_at() {
                Some(at) => self.probe(at, &stop).await,
                None => self.round(&stop).await,
            };
            match round {
                // There may be more.
                Ok(true) => continue,
                Ok(false) => {}
                Err(error) => {
                    warn!(
                        topic = self.topic,
                        error = format!("{error:#}"),
                        "cannot read the outbox"
                    );
                }
            }
            tokio::select! {
                () = notified.notified() => {}
                () = tokio::time::sleep(POLL) => {}
                () = stop.stopping() => {}
            }
        }
    }

    /// Takes as many rows as there are free permits and starts their delivery; true when
    /// it took that many.
    async fn round(self: &Arc<Self>, stop: &Shutdown) -> anyhow::Result<bool> {
        let mut permits = tokio::select! {
            permits = self.free_permits() => permits?,
            // A row that is taken now would not be delivered in time.
            () = stop.stopping() => return Ok(false),
        };
        if self.circuit.probe_at().is_some() {
            return Ok(true);
        }
        let most = permits.num_permits();
        let rows = self.take(most).await?;
        let full = rows.len() == most;
        for row in rows {
            let Some(permit) = permits.split(1) else { break };
            self.spawn(row, permit, None, stop);
        }
        Ok(full)
    }

    /// Delivers one row when the next probe is due, and waits for its end; false when no
    /// row is left.
    async fn probe(self: &Arc<Self>, at: Instant, stop: &Shutdown) -> anyhow::Result<bool> {
        tokio::select! {
            () = sleep_until(at) => {}
            () = self.circuit.closed() => return Ok(true),
            () = stop.stopping() => return Ok(false),
        }
        let permit = tokio::select! {
            permit = Arc::clone(&self.permits).acquire_owned() => permit?,
            () = stop.stopping() => return Ok(false),
        };
        let rows = self.take(1).await?;
        self.circuit.begin_probe();
        let Some(row) = rows.into_iter().next() else {
            let waits = take::any_row_waits(&self.db, self.topic);
            let waits = timeout(TAKE_LIMIT, waits).await.context("no answer")??;
            if !waits {
                self.circuit.nothing_waits();
            }
            return Ok(waits);
        };
        let (probe, ended) = oneshot::channel();
        self.spawn(row, permit, Some(probe), stop);
        // An error, because the sender is only dropped.
        let _ = ended.await;
        Ok(true)
    }

    /// Starts the delivery of a row. The sender of a probe is dropped at its end.
    fn spawn(
        self: &Arc<Self>,
        row: Row,
        permit: OwnedSemaphorePermit,
        probe: Option<oneshot::Sender<()>>,
        stop: &Shutdown,
    ) {
        if row.parked {
            self.report_dead_letter(row.id, "its handler failed or crashed too often");
            return;
        }
        let relay = Arc::clone(self);
        stop.spawn_contained("outbox delivery", async move {
            relay.deliver(row, permit, probe.is_some()).await;
            drop(probe);
        });
    }

    /// Acquires all free permits: at once when half of the permits are free, else after
    /// [`TAKE_DELAY`] as soon as one is.
    async fn free_permits(&self) -> anyhow::Result<OwnedSemaphorePermit> {
        let half = Arc::clone(&self.permits).acquire_many_owned(self.half);
        let mut permits = match timeout(TAKE_DELAY, half).await {
            Ok(permits) => permits?,
            Err(_) => Arc::clone(&self.permits).acquire_owned().await?,
        };
        let more = u32::try_from(self.permits.available_permits()).unwrap_or(0);
        if let Ok(more) = Arc::clone(&self.permits).try_acquire_many_owned(more) {
            permits.merge(more);
        }
        Ok(permits)
    }

    async fn take(&self, most: usize) -> anyhow::Result<Vec<Row>> {
        let taking = take::take(&self.db, self.topic, most, &self.limits);
        Ok(timeout(TAKE_LIMIT, taking).await.context("no answer")??)
    }

    /// Hands one row over. Its permit is free again once the outcome is stored.
    async fn deliver(&self, row: Row, permit: OwnedSemaphorePermit, is_probe: bool) {
        let (id, attempt) = (row.id, row.attempts);
        let span = entry_span!("outbox.deliver", topic = self.topic, attempt);
        telemetry::continue_from(&span, row.traceparent.as_deref());
        let event = Event { id, attempt, payload: row.payload };
        let outcome = async {
            match timeout(DELIVERY_LIMIT, (self.handler)(event)).await {
                Ok(Ok(delivery)) => {
                    self.circuit.answered(id);
                    match delivery {
                        Delivery::Done => {
                            counter!("outbox_delivered_total", "topic" => self.topic).increment(1);
                            DeliveryOutcome::Delivered
                        }
                        Delivery::Later(pause) => {
                            DeliveryOutcome::Retry { attempts: attempt - 1, pause }
                        }
                    }
                }
                Ok(Err(cause)) => self.failed(id, attempt, is_probe, &cause),
                Err(_) => {
                    let cause = anyhow!("the delivery exceeded its time limit");
                    self.failed_attempt(id, attempt, &cause)
                }
            }
        }
        .instrument(span)
        .await;
        // The settling task lives as long as this sender.
        let _ = self.settled.send(Settled { id, outcome, _permit: permit });
    }

    /// Decides what follows a failed delivery. A failure because the upstream is out counts as no
    /// attempt, unless the row itself fails.
    fn failed(
        &self,
        id: Uuid,
        attempt: i32,
        is_probe: bool,
        cause: &anyhow::Error,
    ) -> DeliveryOutcome {
        if !fault::upstream_is_out(cause) {
            self.circuit.answered(id);
        } else if !self.circuit.unavailable(id, is_probe, cause) {
            counter!("outbox_failed_total", "topic" => self.topic).increment(1);
            return DeliveryOutcome::Retry {
                attempts: attempt - 1,
                pause: self.limits.outage_pause,
            };
        }
        self.failed_attempt(id, attempt, cause)
    }

    fn failed_attempt(&self, id: Uuid, attempt: i32, cause: &anyhow::Error) -> DeliveryOutcome {
        counter!("outbox_failed_total", "topic" => self.topic).increment(1);
        error!(error = fault::causes(cause), topic = self.topic, "not delivered");
        if attempt < self.limits.attempts {
            DeliveryOutcome::Retry { attempts: attempt, pause: backoff(attempt) }
        } else {
            self.report_dead_letter(id, "it failed for a day");
            DeliveryOutcome::Park
        }
    }

    fn report_dead_letter(&self, id: Uuid, why: &str) {
        counter!("outbox_parked_total", "topic" => self.topic).increment(1);
        error!(topic = self.topic, %id, why, "an outbox row became a dead letter");
    }
}
