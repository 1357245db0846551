//! Waiting for conditions.

use std::{future::Future, time::Duration};

use tokio::time::{Instant, sleep};

/// How long [`eventually`] waits. This is enough for a busy machine, so reaching it means that the
/// code is broken.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_mins(1);

/// [`within`] [`DEFAULT_TIMEOUT`].
pub async fn eventually<T, F, Fut>(what: &str, probe: F) -> T
where
    F: FnMut() -> Fut,
    Fut: Future<Output = Option<T>>,
{
    within(DEFAULT_TIMEOUT, what, probe).await
}

/// Calls `probe` every 50 ms until it returns something; panics after `limit`. Unlike
/// testkit's, the limit is an argument: the mesh runs on the system clock, and some
/// journeys wait for half a minute by design.
pub async fn within<T, F, Fut>(limit: Duration, what: &str, mut probe: F) -> T
where
    F: FnMut() -> Fut,
    Fut: Future<Output = Option<T>>,
{
    let end = Instant::now() + limit;
    loop {
        if let Some(found) = probe().await {
            return found;
        }
        assert!(Instant::now() < end, "it did not happen within {limit:?}: {what}");
        sleep(Duration::from_millis(50)).await;
    }
}
