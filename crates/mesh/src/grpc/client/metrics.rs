//! Rate, errors and duration of the calls to an upstream.

use std::sync::OnceLock;

use metrics::{Counter, Histogram, counter, histogram};
use tokio::time::Instant;
use tonic::Code;

/// The codes of gRPC: 0 to 16.
const CODES: usize = 17;

/// Handles of one upstream, resolved at their first use.
pub(super) struct CallMetrics {
    upstream: &'static str,
    duration: Histogram,
    calls: [OnceLock<Counter>; CODES],
}

impl CallMetrics {
    pub(super) fn new(upstream: &'static str) -> Self {
        let duration = histogram!("rpc_client_duration_seconds", "upstream" => upstream);
        Self { upstream, duration, calls: [const { OnceLock::new() }; CODES] }
    }

    /// Records a call. A stream counts when it is opened.
    pub(super) fn record(&self, code: Code, started: Instant) {
        self.duration.record(started.elapsed().as_secs_f64());
        let Some(calls) = self.calls.get(usize::try_from(code as i32).unwrap_or(CODES)) else {
            return;
        };
        let calls = calls.get_or_init(|| {
            let labels = [("upstream", self.upstream.to_owned()), ("code", format!("{code:?}"))];
            counter!("rpc_client_calls_total", &labels)
        });
        calls.increment(1);
    }
}
