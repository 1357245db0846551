//! Rate, errors and duration of the methods that a process serves.

use std::{
    collections::HashMap,
    sync::{PoisonError, RwLock},
};

use http::HeaderMap;
use metrics::{Counter, Histogram, counter, histogram};
use tokio::time::Instant;
use tonic::Code;

/// Rate, errors and duration of each method. Handles are resolved once for each method and code, so
/// there are at most as many as the contract has.
#[derive(Default)]
pub(super) struct Methods(RwLock<HashMap<String, Handles>>);

#[derive(Clone)]
struct Handles {
    duration: Histogram,
    /// Counters of calls, by code.
    calls: Vec<(Code, Counter)>,
}

impl Methods {
    /// Records a call. A refusal is a reply of trailers only, so its code is in the headers. How a
    /// stream ends is not seen here.
    pub(super) fn record(&self, path: &str, headers: &HeaderMap, started: Instant) {
        let code =
            headers.get("grpc-status").map_or(Code::Ok, |value| Code::from_bytes(value.as_bytes()));
        // An unknown path is the caller's choice, and must not become a label.
        let method = if code == Code::Unimplemented { "unknown" } else { path };
        let elapsed = started.elapsed().as_secs_f64();
        {
            let methods = self.0.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(handles) = methods.get(method)
                && let Some((_, calls)) = handles.calls.iter().find(|(known, _)| *known == code)
            {
                handles.duration.record(elapsed);
                calls.increment(1);
                return;
            }
        }
        let mut methods = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let handles = methods.entry(method.to_owned()).or_insert_with(|| Handles {
            duration: histogram!("rpc_server_duration_seconds", "method" => method.to_owned()),
            calls: Vec::new(),
        });
        let labels = [("method", method.to_owned()), ("code", format!("{code:?}"))];
        let calls = counter!("rpc_server_calls_total", &labels);
        handles.duration.record(elapsed);
        calls.increment(1);
        handles.calls.push((code, calls));
    }
}
