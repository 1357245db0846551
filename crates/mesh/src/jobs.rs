//! Jobs: background work that a service repeats.

use std::{fmt::Display, future::Future, time::Duration};

use metrics::{counter, gauge};
use tracing::warn;

use crate::{Shutdown, backoff::backoff};

/// What a round of a job found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Round {
    /// There may be more to do: run again at once.
    More,
    /// Nothing is left: run again after the pause.
    Done,
}

impl Round {
    /// [`Round::More`] when a statement reached its limit of rows.
    pub fn of_batch(rows: u64, limit: u64) -> Self {
        if rows >= limit { Self::More } else { Self::Done }
    }
}

/// The jobs of a service. Each round of a job gets a clone of the state.
#[derive(Debug)]
pub struct Jobs<S> {
    state: S,
    shutdown: Shutdown,
}

impl<S: Clone + Send + 'static> Jobs<S> {
    /// Jobs that run until the stop.
    pub fn new(state: S, shutdown: &Shutdown) -> Self {
        Self { state, shutdown: shutdown.clone() }
    }

    /// Starts a job: it runs again and again while there is more to do, then after each `pause`. A
    /// failed round is logged, counted in `job_rounds_total{job,outcome}`, and repeated after a
    /// second; each further failure doubles that, up to five minutes and to `pause`. Several
    /// replicas run the same job at once, so a round must lease its rows with
    /// `FOR UPDATE SKIP LOCKED`.
    pub fn every<F, Fut, E>(&self, pause: Duration, name: &'static str, job: F) -> &Self
    where
        F: Fn(S) -> Fut + Send + 'static,
        Fut: Future<Output = Result<Round, E>> + Send + 'static,
        E: Display + Send + 'static,
    {
        let (state, stop) = (self.state.clone(), self.shutdown.clone());
        self.shutdown.spawn(name, repeat(name, pause, stop, move || job(state.clone())));
        self
    }
}

async fn repeat<F, Fut, E>(name: &'static str, pause: Duration, stop: Shutdown, job: F)
where
    F: Fn() -> Fut + Send + 'static,
    Fut: Future<Output = Result<Round, E>> + Send,
    E: Display + Send,
{
    let succeeded = counter!("job_rounds_total", "job" => name, "outcome" => "ok");
    let failed = counter!("job_rounds_total", "job" => name, "outcome" => "error");
    let failing = gauge!("job_failing", "job" => name);
    let mut failures = 0;
    while !stop.is_stopping() {
        let wait = match job().await {
            Ok(round) => {
                succeeded.increment(1);
                failing.set(0.0);
                failures = 0;
                if round == Round::More {
                    continue;
                }
                pause
            }
            Err(error) => {
                failed.increment(1);
                failing.set(1.0);
                failures += 1;
                warn!(job = name, %error, "a round of a job failed");
                backoff(failures).min(pause)
            }
        };
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = stop.stopping() => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_job_repeats_at_once_while_there_is_more_and_survives_errors() {
        let shutdown = Shutdown::new();
        let rounds = Arc::new(AtomicUsize::new(0));
        let jobs = Jobs::new(Arc::clone(&rounds), &shutdown);
        jobs.every(Duration::from_hours(1), "test", |count| {
            let round = count.fetch_add(1, Ordering::SeqCst);
            async move {
                match round {
                    0 | 1 => Ok(Round::More),
                    2 | 3 | 5 => Err("as this test expects"),
                    _ => Ok(Round::Done),
                }
            }
        });
        let after = async |pause: Duration| {
            tokio::time::sleep(pause).await;
            rounds.load(Ordering::SeqCst)
        };
        assert_eq!(after(Duration::from_millis(900)).await, 3, "three at once");
        assert_eq!(after(Duration::from_secs(1)).await, 4, "one a second after a failed one");
        assert_eq!(after(Duration::from_millis(900)).await, 4, "two seconds after two of them");
        assert_eq!(after(Duration::from_mins(59)).await, 5, "the one that succeeds");
        assert_eq!(after(Duration::from_hours(1)).await, 7, "a failed one counts anew");
        shutdown.stop();
        assert!(shutdown.drained(Duration::from_secs(5)).await);
    }
}
