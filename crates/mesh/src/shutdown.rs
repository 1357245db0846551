//! Who is still at work, and the word to stop.

use std::{any::Any, future::Future, panic::AssertUnwindSafe, time::Duration};

use futures_util::FutureExt;
use tokio_util::{
    sync::{CancellationToken, WaitForCancellationFuture},
    task::TaskTracker,
};
use tracing::{error, info};

/// The word to stop, and a list of all who must hear it.
///
/// Every task of a process is spawned here, so that a stop drains work instead
/// of dropping it. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Shutdown {
    token: CancellationToken,
    tasks: TaskTracker,
}

impl Shutdown {
    /// Nobody at work, nothing said.
    pub fn new() -> Self {
        Self::default()
    }

    /// Runs a task that the process waits for when it stops. A task that panics
    /// takes the process down in good order: a service that lost its relay or
    /// its reconciler must not go on looking healthy.
    pub fn spawn<F>(&self, name: &'static str, task: F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let token = self.token.clone();
        // In no span: a task lives as long as the process, and a trace that long
        // would swallow all others.
        self.tasks.spawn(async move {
            if let Err(panic) = AssertUnwindSafe(task).catch_unwind().await {
                error!(task = name, panic = panic_text(&*panic), "a task panicked; stopping");
                token.cancel();
            }
        });
    }

    /// Says the word. Saying it twice is harmless.
    pub fn stop(&self) {
        self.token.cancel();
    }

    /// Whether the word has been said.
    pub fn is_stopping(&self) -> bool {
        self.token.is_cancelled()
    }

    /// Waits for the word.
    pub fn stopping(&self) -> WaitForCancellationFuture<'_> {
        self.token.cancelled()
    }

    /// Waits for the word, for those who cannot borrow.
    pub fn stopping_owned(&self) -> impl Future<Output = ()> + Send + 'static {
        self.token.clone().cancelled_owned()
    }

    /// Waits until all tasks are done, at most for `limit`. False when some were
    /// left at work.
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
    async fn a_stop_waits_for_work_under_way() {
        let shutdown = Shutdown::new();
        let (started, mut finished) = tokio::sync::mpsc::channel(1);
        let heard = shutdown.clone();
        shutdown.spawn("worker", async move {
            heard.stopping().await;
            started.send(()).await.unwrap();
        });
        shutdown.stop();
        assert!(shutdown.drained(Duration::from_secs(5)).await);
        assert!(finished.recv().await.is_some());
    }

    #[tokio::test]
    async fn a_task_that_panics_stops_the_process() {
        let shutdown = Shutdown::new();
        shutdown.spawn("worker", async { panic!("as expected by this test") });
        tokio::time::timeout(Duration::from_secs(5), shutdown.stopping()).await.unwrap();
    }
}
