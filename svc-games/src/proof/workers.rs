//! Runs replays off the async threads: a few at once, with a bounded queue.

use std::{num::NonZero, sync::Arc, thread};

use anyhow::Context as _;
use metrics::{Histogram, histogram};
use tokio::{sync::Semaphore, time::Instant};

use super::{InvalidRules, ReplayError, RulesModule};
use crate::domain::{Answer, Inputs};

/// Replays that may wait for each replay that runs.
const WAITING: usize = 64;

/// The replays of this process. Cheap to clone; clones share the limits.
#[derive(Clone)]
pub(crate) struct Workers {
    /// Limits the replays that run at the same time.
    running: Arc<Semaphore>,
    /// Limits the replays that run or wait.
    queued: Arc<Semaphore>,
}

impl Workers {
    /// Allows as many replays at once as the machine has processors.
    pub(crate) fn new() -> Self {
        let processors = thread::available_parallelism().map_or(1, NonZero::get);
        Self {
            running: Arc::new(Semaphore::new(processors)),
            queued: Arc::new(Semaphore::new(processors * (1 + WAITING))),
        }
    }

    /// Compiles a module and takes its first step, which takes some seconds for a hostile module.
    pub(crate) async fn compile(
        &self,
        module: Vec<u8>,
    ) -> anyhow::Result<Result<RulesModule, InvalidRules>> {
        let running = Arc::clone(&self.running).acquire_owned().await?;
        let compiled = tokio::task::spawn_blocking(move || {
            let _permit = running;
            RulesModule::new(&module)
        });
        compiled.await.context("a module panicked while it was compiled")
    }

    /// Replays a run with the seeds of its pieces, and returns its points.
    pub(crate) async fn replay(
        &self,
        rules: RulesModule,
        seeds: Vec<i64>,
        level: i32,
        inputs: Inputs,
    ) -> Result<i32, ReplayError> {
        self.run(move || rules.replay(&seeds, level, &inputs)).await
    }

    /// Replays a run with the seeds of its pieces, and returns what its player answered.
    pub(crate) async fn answers(
        &self,
        rules: RulesModule,
        seeds: Vec<i64>,
        level: i32,
        inputs: Inputs,
    ) -> Result<Vec<Answer>, ReplayError> {
        self.run(move || rules.answers(&seeds, level, &inputs)).await
    }

    async fn run<T: Send + 'static>(
        &self,
        replay: impl FnOnce() -> Result<T, ReplayError> + Send + 'static,
    ) -> Result<T, ReplayError> {
        let queued = Arc::clone(&self.queued).try_acquire_owned();
        let queued = queued.map_err(|_| ReplayError::Busy)?;
        // The semaphore is never closed.
        let running = Arc::clone(&self.running).acquire_owned().await;
        let running = running.map_err(|_| ReplayError::Busy)?;
        let replayed = tokio::task::spawn_blocking(move || {
            // Both permits are held until the replay ends, even if its caller has gone.
            let _permits = (queued, running);
            let started = Instant::now();
            let replayed = replay();
            replay_seconds().record(started.elapsed());
            replayed
        });
        replayed.await.context("a replay panicked").map_err(ReplayError::Failed)?
    }
}

fn replay_seconds() -> Histogram {
    histogram!("replay_duration_seconds")
}
