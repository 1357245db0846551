//! Waiting for what happens by itself.

use std::{future::Future, time::Duration};

use tokio::time::{Instant, sleep};

/// How long what happens "soon" may take on a busy machine. A limit for broken
/// code, not for luck.
pub const SOON: Duration = Duration::from_mins(1);

/// [`within`] a short time.
pub async fn eventually<T, F, Fut>(what: &str, probe: F) -> T
where
    F: FnMut() -> Fut,
    Fut: Future<Output = Option<T>>,
{
    within(SOON, what, probe).await
}

/// Tries until `probe` gives something. The limit is the caller's, unlike
/// testkit's: the mesh's clock is the real one, and some of what it promises
/// takes half a minute.
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
