//! Sends the mix, in a closed loop and in an open one.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use anyhow::Result;
use tokio::{
    task::JoinSet,
    time::{Instant, sleep, sleep_until},
};

use super::mix::{Class, Mix, Operation};
use crate::{
    address::Target,
    client::{Connection, error_kind},
};

/// Connections of the open loop. While all of them wait for replies, requests are sent late.
const CONNECTIONS: usize = 2_500;
/// A request that is sent this long after its time is counted as late.
const LATE: Duration = Duration::from_millis(100);
/// The pause of a connection that broke.
const PAUSE: Duration = Duration::from_millis(10);

/// Sends requests, each with a number of its own over all phases.
pub(crate) struct Driver {
    target: Target,
    mix: Arc<Mix>,
    next: Arc<AtomicU64>,
}

/// A request that was answered.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    pub(crate) operation: Operation,
    /// When the request was sent, from the beginning of the phase.
    pub(crate) sent: Duration,
    pub(crate) took: Duration,
    /// `None` for a success, or the kind of the error.
    pub(crate) error: Option<String>,
}

/// The requests of a phase.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    pub(crate) all: Vec<Sample>,
    /// Requests that were sent more than 100 ms after their time: the load generator was too slow.
    pub(crate) late: u64,
}

impl Samples {
    /// The number of successes.
    pub(crate) fn accepted(&self) -> u64 {
        self.all.iter().filter(|sample| sample.error.is_none()).map(|_| 1_u64).sum()
    }

    /// Requests and successes by class.
    pub(crate) fn classes(&self) -> BTreeMap<Class, (u64, u64)> {
        let mut classes = BTreeMap::new();
        for sample in &self.all {
            let (sent, accepted): &mut (u64, u64) =
                classes.entry(sample.operation.class()).or_default();
            *sent += 1;
            *accepted += u64::from(sample.error.is_none());
        }
        classes
    }

    /// The kinds of errors by class.
    pub(crate) fn errors(&self) -> BTreeMap<(Class, &str), u64> {
        let mut errors = BTreeMap::new();
        for sample in &self.all {
            if let Some(kind) = &sample.error {
                *errors.entry((sample.operation.class(), kind.as_str())).or_default() += 1;
            }
        }
        errors
    }

    /// The latency that 99 of 100 successes had at most.
    pub(crate) fn p99(&self) -> Duration {
        p99(self.all.iter())
    }
}

/// The latency that 99 of 100 successes had at most.
pub(crate) fn p99<'a>(samples: impl Iterator<Item = &'a Sample>) -> Duration {
    let successes = samples.filter(|sample| sample.error.is_none());
    let mut times: Vec<Duration> = successes.map(|sample| sample.took).collect();
    times.sort_unstable();
    times.get(times.len() * 99 / 100).copied().unwrap_or_default()
}

/// When requests are sent.
#[derive(Debug, Clone, Copy)]
enum Pace {
    /// A connection sends its next request as soon as it has its last reply.
    Closed,
    /// A request is sent every `period` nanoseconds, on whichever connection is free.
    Open { period: u64 },
}

impl Driver {
    pub(crate) fn new(target: Target, mix: Mix) -> Self {
        Self { target, mix: Arc::new(mix), next: Arc::default() }
    }

    /// Sends in a closed loop: each connection sends its next request when it has the reply to the
    /// last.
    pub(crate) async fn closed(
        &mut self,
        connections: usize,
        lasts: Duration,
        only: Option<Operation>,
    ) -> Result<Samples> {
        self.run(connections, lasts, Pace::Closed, only).await
    }

    /// Sends in an open loop: requests are sent at this rate, whatever became of the earlier ones.
    pub(crate) async fn open(&mut self, rate: u64, lasts: Duration) -> Result<Samples> {
        let period = 1_000_000_000 / rate.max(1);
        self.run(CONNECTIONS, lasts, Pace::Open { period }, None).await
    }

    async fn run(
        &mut self,
        connections: usize,
        lasts: Duration,
        pace: Pace,
        only: Option<Operation>,
    ) -> Result<Samples> {
        let phase = Arc::new(Phase {
            target: self.target,
            mix: self.mix.clone(),
            next: self.next.clone(),
            first: self.next.load(Ordering::Relaxed),
            begun: Instant::now(),
            lasts,
            pace,
            only,
        });
        let mut workers = JoinSet::new();
        for _ in 0..connections {
            workers.spawn(send(phase.clone()));
        }
        let mut samples = Samples::default();
        while let Some(worker) = workers.join_next().await {
            let Samples { all, late } = worker??;
            samples.all.extend(all);
            samples.late += late;
        }
        Ok(samples)
    }
}

struct Phase {
    target: Target,
    mix: Arc<Mix>,
    next: Arc<AtomicU64>,
    first: u64,
    begun: Instant,
    lasts: Duration,
    pace: Pace,
    only: Option<Operation>,
}

/// The loop of one connection.
async fn send(phase: Arc<Phase>) -> Result<Samples> {
    let mut connection = Connection::new(phase.target);
    let mut samples = Samples::default();
    loop {
        let number = phase.next.fetch_add(1, Ordering::Relaxed);
        if let Pace::Open { period } = phase.pace {
            let due = Duration::from_nanos(period.saturating_mul(number - phase.first));
            if due >= phase.lasts {
                return Ok(samples);
            }
            sleep_until(phase.begun + due).await;
            samples.late += u64::from(phase.begun.elapsed() > due + LATE);
        }
        // Late requests are not sent after the end.
        if phase.begun.elapsed() >= phase.lasts {
            return Ok(samples);
        }
        let operation = phase.only.unwrap_or_else(|| Mix::operation(number));
        let request = phase.mix.request(operation, number)?;
        let sent = Instant::now();
        let reply = connection.call(request).await;
        let took = sent.elapsed();
        let is_broken = reply.is_err();
        let error = match reply {
            Ok(reply) if operation.is_success(&reply) => None,
            Ok(reply) => Some(error_kind(&reply)),
            Err(error) => Some(format!("{error:#}")),
        };
        samples.all.push(Sample { operation, sent: sent - phase.begun, took, error });
        if is_broken {
            sleep(PAUSE).await;
        }
    }
}
