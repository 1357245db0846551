//! Whether a process can do its work.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use futures_util::future::BoxFuture;
use tracing::warn;

use crate::Shutdown;

/// Longest that a readiness check may take.
const LIMIT: Duration = Duration::from_secs(2);

/// Answers whether a service can do its work right now.
pub type Readiness = Arc<dyn Fn() -> BoxFuture<'static, anyhow::Result<()>> + Send + Sync>;

/// The readiness of a process whose service is still to be built. Cheap to clone.
#[derive(Clone)]
pub struct Probes {
    ready: Arc<OnceLock<Readiness>>,
    shutdown: Shutdown,
}

impl Probes {
    /// The probes of the process that `shutdown` stops.
    pub fn new(shutdown: &Shutdown) -> Self {
        Self { ready: Arc::default(), shutdown: shutdown.clone() }
    }

    /// Sets the check of a service that was built; a second call has no effect.
    pub fn set(&self, ready: Readiness) {
        let _ = self.ready.set(ready);
    }

    /// Whether the check succeeds; false before the service is built, and from the beginning of the
    /// lame duck on.
    pub(crate) async fn are_ready(&self) -> bool {
        let Some(ready) = self.ready.get().filter(|_| !self.shutdown.is_lame_duck()) else {
            return false;
        };
        let checked = tokio::time::timeout(LIMIT, ready()).await;
        match checked.unwrap_or_else(|_| Err(anyhow::anyhow!("no reply within {LIMIT:?}"))) {
            Ok(()) => true,
            Err(error) => {
                warn!(error = format!("{error:#}"), "not ready");
                false
            }
        }
    }
}
