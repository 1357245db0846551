//! Repeats calls that the contract marks as repeatable.

use std::time::Duration;

use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use metrics::counter;
use tokio::time::Instant;
use tonic::{Status, body::Body};
use tower::retry::budget::{Budget as _, TpsBudget};
use types::Rng;

/// Most repetitions of one call.
pub(super) const REPETITIONS: u32 = 2;
/// Share of all calls that may be repeated, so that an upstream that fails does not get a multiple
/// of its load.
const RATIO: f32 = 0.1;
/// Calls count for the budget for this long.
const BUDGET_WINDOW: Duration = Duration::from_secs(10);
/// Repetitions in a second that are allowed in any case, so that few calls have a chance.
const RESERVE: u32 = 1;
/// The pause before the first repetition; it doubles, and half of it is random.
const PAUSE: Duration = Duration::from_millis(20);

/// Decides which calls are repeated.
pub(super) struct Retries {
    upstream: &'static str,
    budget: TpsBudget,
    rng: Rng,
}

impl Retries {
    pub(super) fn new(upstream: &'static str, rng: Rng) -> Self {
        Self { upstream, budget: TpsBudget::new(BUDGET_WINDOW, RESERVE, RATIO), rng }
    }

    /// Counts a call, which adds to the budget.
    pub(super) fn count_call(&self) {
        self.budget.deposit();
    }

    /// The pause before the call may be repeated; `None` without budget or time.
    pub(super) fn repeat(&self, repetitions: u32, deadline: Instant) -> Option<Duration> {
        if repetitions >= REPETITIONS {
            return None;
        }
        let most = PAUSE * 2_u32.pow(repetitions);
        let random = u32::from(u16::from_be_bytes(self.rng.bytes()));
        let pause = most / 2 + most / 2 * random / u32::from(u16::MAX);
        if Instant::now() + pause >= deadline {
            return None;
        }
        let labels = [("upstream", self.upstream)];
        if !self.budget.withdraw() {
            counter!("rpc_client_retries_refused_total", &labels).increment(1);
            return None;
        }
        counter!("rpc_client_retries_total", &labels).increment(1);
        Some(pause)
    }
}

/// A request that can be sent several times: its body is in memory, as it was before it
/// was encoded.
pub(super) struct Repeatable {
    parts: http::request::Parts,
    body: Bytes,
}

impl Repeatable {
    pub(super) async fn new(request: http::Request<Body>) -> Result<Self, Status> {
        let (parts, body) = request.into_parts();
        let body = body.collect().await?.to_bytes();
        Ok(Self { parts, body })
    }

    pub(super) fn request(&self) -> http::Request<Body> {
        let body = Body::new(Full::new(self.body.clone()));
        http::Request::from_parts(self.parts.clone(), body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes calls, repeats each failed one as often as allowed, and returns the number of
    /// attempts.
    fn attempts(calls: u32, fails: impl Fn(u32) -> bool) -> u32 {
        let retries = Retries::new("svc-test", Rng::system());
        let deadline = Instant::now() + Duration::from_secs(15);
        let mut attempts = 0;
        for _ in 0..calls {
            retries.count_call();
            attempts += 1;
            let mut repetitions = 0;
            while fails(attempts) && retries.repeat(repetitions, deadline).is_some() {
                repetitions += 1;
                attempts += 1;
            }
        }
        attempts
    }

    #[tokio::test]
    async fn an_upstream_that_fails_half_its_calls_gets_at_most_a_fifth_more() {
        let attempts = attempts(2_000, |attempt| attempt % 2 == 0);
        assert!((2_001..=2_400).contains(&attempts), "{attempts}");
    }

    #[tokio::test]
    async fn an_upstream_that_fails_all_calls_gets_at_most_a_fifth_more() {
        let attempts = attempts(2_000, |_| true);
        assert!((2_001..=2_400).contains(&attempts), "{attempts}");
    }

    #[tokio::test]
    async fn a_call_is_not_repeated_after_its_deadline() {
        let retries = Retries::new("svc-test", Rng::system());
        assert_eq!(retries.repeat(0, Instant::now()), None);
    }
}
