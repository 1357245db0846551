//! What an orchestrator asks a process, answered on the metrics port: `/healthz` while it
//! runs, `/readyz` while it can do its work.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use axum::http::StatusCode;
use futures_util::future::BoxFuture;
use tracing::warn;

use crate::Shutdown;

/// Checks whether a service can do its work now.
pub type Readiness = Arc<dyn Fn() -> BoxFuture<'static, anyhow::Result<()>> + Send + Sync>;

/// Longest that a readiness check may take.
const LIMIT: Duration = Duration::from_secs(2);

/// The readiness of a service that is still to be built. Cheap to clone.
#[derive(Clone, Default)]
pub struct Probes(Arc<OnceLock<Readiness>>);

impl Probes {
    /// Sets the check of a service that was built; a second call has no effect.
    pub fn set(&self, ready: Readiness) {
        let _ = self.0.set(ready);
    }

    /// 200 when the check succeeds; 503 otherwise, before the service is built and once
    /// it stops.
    pub(crate) async fn ready(&self, shutdown: &Shutdown) -> StatusCode {
        let Some(ready) = self.0.get().filter(|_| !shutdown.is_stopping()) else {
            return StatusCode::SERVICE_UNAVAILABLE;
        };
        let checked = tokio::time::timeout(LIMIT, ready()).await;
        match checked.unwrap_or_else(|_| Err(anyhow::anyhow!("no reply within {LIMIT:?}"))) {
            Ok(()) => StatusCode::OK,
            Err(error) => {
                warn!(error = format!("{error:#}"), "not ready");
                StatusCode::SERVICE_UNAVAILABLE
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ready: bool) -> Readiness {
        Arc::new(move || {
            Box::pin(async move { if ready { Ok(()) } else { anyhow::bail!("no database") } })
        })
    }

    #[tokio::test]
    async fn a_service_is_ready_once_it_is_built_and_until_it_stops() {
        let (probes, shutdown) = (Probes::default(), Shutdown::new());
        assert_eq!(probes.ready(&shutdown).await, StatusCode::SERVICE_UNAVAILABLE);
        probes.set(check(true));
        assert_eq!(probes.ready(&shutdown).await, StatusCode::OK);
        shutdown.stop();
        assert_eq!(probes.ready(&shutdown).await, StatusCode::SERVICE_UNAVAILABLE);
    }

    #[tokio::test(start_paused = true)]
    async fn a_check_that_fails_or_hangs_is_not_ready() {
        let hangs: Readiness = Arc::new(|| Box::pin(std::future::pending()));
        for check in [check(false), hangs] {
            let probes = Probes::default();
            probes.set(check);
            assert_eq!(probes.ready(&Shutdown::new()).await, StatusCode::SERVICE_UNAVAILABLE);
        }
    }
}
