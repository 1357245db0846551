//! Who is still at work, and the word to stop.

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
    failed: Arc<AtomicBool>,
}

impl Shutdown {
    /// Nobody at work, nothing said.
    pub fn new() -> Self {
        Self::default()
    }

    /// Runs a task that the process cannot do without, and waits for it when it
    /// stops. One that panics takes the process down in good order: a service
    /// that lost its relay or its door must not go on looking healthy.
    pub fn spawn<F>(&self, name: &'static str, task: F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let whole = self.clone();
        // In no span: a task lives as long as the process, and a trace that long
        // would swallow all others.
        self.tasks.spawn(async move {
            if let Err(panic) = AssertUnwindSafe(task).catch_unwind().await {
                error!(task = name, panic = panic_text(&*panic), "a task panicked; stopping");
                whole.fail();
            }
        });
    }

    /// Runs a task on behalf of one caller or one message: the process waits for
    /// it, too, but if it panics only its own work is lost.
    pub fn spawn_contained<F>(&self, name: &'static str, task: F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.tasks.spawn(async move {
            if let Err(panic) = AssertUnwindSafe(task).catch_unwind().await {
                error!(task = name, panic = panic_text(&*panic), "a task panicked");
            }
        });
    }

    /// Says the word because something broke that the process cannot do without.
    pub fn fail(&self) {
        self.failed.store(true, Ordering::SeqCst);
        self.token.cancel();
    }

    /// Whether the word was said by [`fail`](Self::fail).
    pub fn has_failed(&self) -> bool {
        self.failed.load(Ordering::SeqCst)
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
        assert!(shutdown.has_failed());
    }

    #[tokio::test]
    async fn a_contained_task_that_panics_stops_nobody_else() {
        let shutdown = Shutdown::new();
        shutdown.spawn_contained("caller", async { panic!("as expected by this test") });
        shutdown.tasks.close();
        shutdown.tasks.wait().await;
        assert!(!shutdown.is_stopping());
    }
}
