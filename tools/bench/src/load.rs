//! The closed loop: every connection asks again when it has been answered.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use anyhow::Result;
use tokio::{
    task::JoinSet,
    time::{Instant, sleep, sleep_until},
};

use crate::{
    client::{Answer, Connection, Outgoing, kind_of},
    config::Plan,
    cpu::Watched,
    figures::{Figures, Tally},
    target::Target,
};

/// After an error, so that a dead server is not asked a million times.
const PAUSE: Duration = Duration::from_millis(10);

/// Whose turn it is to ask.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Turn {
    /// Which connection.
    pub(crate) worker: usize,
    /// How often it has asked before.
    pub(crate) round: usize,
}

/// What is asked, over and over.
pub(crate) trait Ask: Send + Sync + 'static {
    /// The next request.
    fn request(&self, turn: Turn) -> Result<Outgoing>;

    /// Whether that was the answer.
    fn is_right(&self, answer: &Answer) -> bool {
        answer.status.is_success()
    }
}

/// How long and how much.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Load {
    pub(crate) connections: usize,
    pub(crate) warm_up: Duration,
    pub(crate) measure: Duration,
    pub(crate) most_requests: u64,
}

impl From<&Plan> for Load {
    fn from(plan: &Plan) -> Self {
        Self {
            connections: usize::from(plan.connections),
            warm_up: plan.warm_up,
            measure: plan.measure,
            most_requests: plan.most_requests,
        }
    }
}

/// The part of the run that counts.
#[derive(Debug, Clone, Copy)]
struct Window {
    opens: Instant,
    closes: Instant,
}

struct Job<A> {
    target: Target,
    ask: A,
    window: Window,
    asked: AtomicU64,
    most: u64,
}

impl Load {
    /// Puts the load on `target`, and counts what it costs the `watched`.
    pub(crate) async fn drive<A: Ask>(
        self,
        target: Target,
        ask: A,
        watched: &Watched,
    ) -> Result<Figures> {
        let opens = Instant::now() + self.warm_up;
        let window = Window { opens, closes: opens + self.measure };
        let asked = AtomicU64::new(0);
        let job = Arc::new(Job { target, ask, window, asked, most: self.most_requests });
        let mut workers = JoinSet::new();
        for worker in 0..self.connections {
            workers.spawn(work(job.clone(), worker));
        }
        let opening = async {
            sleep_until(window.opens).await;
            watched.spent()
        };
        let (before, all) = tokio::join!(opening, gather(workers));
        let (tally, last) = all?;
        // Shorter than planned when the requests ran out.
        let used = last.min(window.closes).saturating_duration_since(window.opens);
        let figures = tally.figures(used);
        let cpu = watched.spent().per_request(&before, figures.count);
        Ok(Figures { cpu, ..figures })
    }
}

/// What all connections found, and when the last one stopped.
async fn gather(mut workers: JoinSet<Result<(Tally, Instant)>>) -> Result<(Tally, Instant)> {
    let mut all = Tally::new()?;
    let mut last = Instant::now();
    while let Some(done) = workers.join_next().await {
        let (tally, ended) = done??;
        all.add(&tally)?;
        last = last.max(ended);
    }
    Ok((all, last))
}

/// What one connection found, and when it stopped.
async fn work<A: Ask>(job: Arc<Job<A>>, worker: usize) -> Result<(Tally, Instant)> {
    let mut connection = Connection::to(job.target);
    let mut tally = Tally::new()?;
    let mut round = 0;
    loop {
        let begun = Instant::now();
        if begun >= job.window.closes || job.asked.fetch_add(1, Ordering::Relaxed) >= job.most {
            return Ok((tally, begun));
        }
        let request = job.ask.request(Turn { worker, round })?;
        let answer = connection.call(request).await;
        let ended = Instant::now();
        round += 1;
        let trouble = match answer {
            Ok(answer) if job.ask.is_right(&answer) => None,
            Ok(answer) => Some(kind_of(&answer)),
            Err(error) => Some(format!("{error:#}")),
        };
        let counts = job.window.opens <= ended && ended <= job.window.closes;
        match trouble {
            None if counts => tally.well(ended - begun),
            None => {}
            Some(kind) => {
                // Errors count whenever they come: a warm-up that fails is no warm-up.
                tally.badly(kind);
                sleep(PAUSE).await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use axum::{Router, routing::get as on_get};
    use http::StatusCode;
    use tokio::net::TcpListener;

    use super::*;
    use crate::client::get;

    struct Path(&'static str);

    impl Ask for Path {
        fn request(&self, _: Turn) -> Result<Outgoing> {
            get(self.0)
        }
    }

    async fn server(servers: &mut JoinSet<()>) -> Target {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let target = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new()
            .route("/well", on_get(|| async { "well" }))
            .route("/badly", on_get(|| async { StatusCode::TOO_MANY_REQUESTS }));
        servers.spawn(async move { axum::serve(listener, router).await.unwrap() });
        target.parse().unwrap()
    }

    fn load(most_requests: u64) -> Load {
        Load {
            connections: 4,
            warm_up: Duration::from_millis(1),
            measure: Duration::from_secs(2),
            most_requests,
        }
    }

    #[tokio::test]
    async fn a_run_ends_when_its_requests_run_out() {
        let mut servers = JoinSet::new();
        let target = server(&mut servers).await;
        let figures = load(500).drive(target, Path("/well"), &Watched::new(&[])).await.unwrap();
        assert!(figures.count <= 500 && figures.count > 0, "{figures:?}");
        assert_eq!(figures.error_count(), 0);
        assert!(figures.window < 2_000_000, "{figures:?}");
    }

    #[tokio::test]
    async fn a_refusal_is_an_error_and_no_rate() {
        let mut servers = JoinSet::new();
        let target = server(&mut servers).await;
        let figures = load(20).drive(target, Path("/badly"), &Watched::new(&[])).await.unwrap();
        assert_eq!((figures.count, figures.per_second), (0, 0));
        assert_eq!(figures.errors.get("429"), Some(&20));
    }

    #[tokio::test]
    async fn nobody_there_is_an_error_and_not_the_end() {
        let target = "http://127.0.0.1:1".parse().unwrap();
        let figures = load(8).drive(target, Path("/"), &Watched::new(&[])).await.unwrap();
        assert_eq!(figures.error_count(), 8);
    }
}
