//! Tasks, and the signal to stop.

use std::{
    any::Any,
    future::Future,
    panic::AssertUnwindSafe,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use anyhow::Context as _;
use futures_util::FutureExt;
use tokio::sync::oneshot;
use tokio_util::{
    sync::{CancellationToken, WaitForCancellationFuture},
    task::TaskTracker,
};
use tracing::{Instrument as _, error, info};

/// Spawns the tasks of a process and stops them.
///
/// Every task is spawned here, so that a stop waits for work instead of dropping it.
/// Cheap to clone; clones are one.
#[derive(Debug, Clone)]
pub struct Shutdown {
    token: CancellationToken,
    /// A child of the stop's token, so it is cancelled with that at the latest.
    lame_duck: CancellationToken,
    tasks: TaskTracker,
    failed: Arc<AtomicBool>,
}

impl Default for Shutdown {
    fn default() -> Self {
        let token = CancellationToken::new();
        let lame_duck = token.child_token();
        Self { token, lame_duck, tasks: TaskTracker::new(), failed: Arc::default() }
    }
}

impl Shutdown {
    /// A shutdown without tasks, which is not stopping.
    pub fn new() -> Self {
        Self::default()
    }

    /// Runs an essential task, and waits for it when the process stops. If it panics, the
    /// process stops gracefully: a service without its relay or its listener must not go
    /// on looking healthy.
    pub fn spawn<F>(&self, name: &'static str, task: F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let shutdown = self.clone();
        // The task has no span: it runs as long as the process, so all its work would be in one
        // endless trace. Combinators are used, because an async block that awaits a future which
        // was moved into it has room for it twice, and there are thousands of tasks.
        self.tasks.spawn(AssertUnwindSafe(task).catch_unwind().map(move |outcome| {
            if let Err(panic) = outcome {
                error!(task = name, panic = panic_text(&*panic), "a task panicked; stopping");
                shutdown.fail();
            }
        }));
    }

    /// Runs a task for one call or one message, and waits for it when the process stops.
    /// If it panics, only its own work is lost.
    pub fn spawn_contained<F>(&self, name: &'static str, task: F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.tasks.spawn(AssertUnwindSafe(task).catch_unwind().map(move |outcome| {
            if let Err(panic) = outcome {
                error!(task = name, panic = panic_text(&*panic), "a task panicked");
            }
        }));
    }

    /// Runs work in a task of its own and returns its result, so that the work is done to its end
    /// when the caller is cancelled.
    ///
    /// # Errors
    ///
    /// When the work panicked.
    pub async fn run_apart<T: Send + 'static>(
        &self,
        name: &'static str,
        work: impl Future<Output = T> + Send + 'static,
    ) -> anyhow::Result<T> {
        let (done, result) = oneshot::channel();
        let task = async move {
            // The channel is closed only when the caller was cancelled.
            let _ = done.send(work.await);
        };
        self.spawn_contained(name, task.in_current_span());
        result.await.with_context(|| format!("the task `{name}` panicked"))
    }

    /// Stops the process because an essential part of it failed.
    pub fn fail(&self) {
        self.failed.store(true, Ordering::SeqCst);
        self.token.cancel();
    }

    /// Whether [`fail`](Self::fail) was called.
    pub fn has_failed(&self) -> bool {
        self.failed.load(Ordering::SeqCst)
    }

    /// Begins the lame duck: from now on the process is not ready, so that load balancers
    /// choose others, and still accepts calls until [`stop`](Self::stop).
    pub fn begin_lame_duck(&self) {
        self.lame_duck.cancel();
    }

    /// Whether the lame duck began, or the stop. Readiness checks ask this; code that does work
    /// asks [`is_stopping`](Self::is_stopping).
    pub fn is_lame_duck(&self) -> bool {
        self.lame_duck.is_cancelled()
    }

    /// Waits for the lame duck, or for the stop.
    pub fn lame_duck(&self) -> WaitForCancellationFuture<'_> {
        self.lame_duck.cancelled()
    }

    /// Stops the process. A second call has no effect.
    pub fn stop(&self) {
        self.token.cancel();
    }

    /// Whether the process is stopping.
    pub fn is_stopping(&self) -> bool {
        self.token.is_cancelled()
    }

    /// Waits for the stop.
    pub fn stopping(&self) -> WaitForCancellationFuture<'_> {
        self.token.cancelled()
    }

    /// Waits for the stop, without a borrow.
    pub fn stopping_owned(&self) -> impl Future<Output = ()> + Send + 'static {
        self.token.clone().cancelled_owned()
    }

    /// Waits until all tasks have ended, at most for `limit`. False when some have not.
    pub async fn drained(&self, limit: Duration) -> bool {
        self.tasks.close();
        let done = tokio::time::timeout(limit, self.tasks.wait()).await.is_ok();
        info!(done, left = self.tasks.len(), "drained");
        done
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_stop_waits_for_tasks() {
        let shutdown = Shutdown::new();
        let (started, mut finished) = tokio::sync::mpsc::channel(1);
        let stop = shutdown.clone();
        shutdown.spawn("worker", async move {
            stop.stopping().await;
            started.send(()).await.unwrap();
        });
        shutdown.stop();
        assert!(shutdown.drained(Duration::from_secs(5)).await);
        assert!(finished.recv().await.is_some());
    }

    #[tokio::test]
    async fn a_lame_duck_is_not_stopping_and_a_stop_implies_it() {
        let shutdown = Shutdown::new();
        shutdown.begin_lame_duck();
        shutdown.lame_duck().await;
        assert!(shutdown.is_lame_duck() && !shutdown.is_stopping());
        let shutdown = Shutdown::new();
        shutdown.stop();
        shutdown.lame_duck().await;
        assert!(shutdown.is_lame_duck() && shutdown.is_stopping());
    }

    #[tokio::test]
    async fn a_task_that_panics_stops_the_process() {
        let shutdown = Shutdown::new();
        shutdown.spawn("worker", async { panic!("as this test expects") });
        tokio::time::timeout(Duration::from_secs(5), shutdown.stopping()).await.unwrap();
        assert!(shutdown.has_failed());
    }

    #[tokio::test]
    async fn work_apart_is_done_when_its_caller_has_gone() {
        let shutdown = Shutdown::new();
        assert_eq!(shutdown.run_apart("work", async { 7 }).await.unwrap(), 7);
        let panicking = async { panic!("as this test expects") };
        assert!(shutdown.run_apart::<()>("work", panicking).await.is_err());

        let (proceed, told) = oneshot::channel();
        let (finished, done) = oneshot::channel();
        let work = async move {
            told.await.unwrap();
            finished.send(()).unwrap();
        };
        let mut calling = Box::pin(shutdown.run_apart("work", work));
        assert!(calling.as_mut().now_or_never().is_none());
        drop(calling);
        proceed.send(()).unwrap();
        done.await.unwrap();
    }

    #[tokio::test]
    async fn a_contained_task_that_panics_does_not_stop_the_process() {
        let shutdown = Shutdown::new();
        shutdown.spawn_contained("caller", async { panic!("as this test expects") });
        shutdown.tasks.close();
        shutdown.tasks.wait().await;
        assert!(!shutdown.is_stopping());
    }
}
