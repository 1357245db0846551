//! A closed loop of requests: every connection sends its next request when it has the
//! reply to the last.

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
    address::Target,
    client::{Connection, HttpRequest, Reply, error_kind},
    config::Plan,
    cpu::CpuMeter,
    figures::{Figures, Recorder},
};

/// The pause of a connection after an error, which limits the rate of failing requests.
const ERROR_PAUSE: Duration = Duration::from_millis(10);

/// The place of a request: its connection, and its number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Iteration {
    /// The number of the connection, from 0.
    pub(crate) worker: usize,
    /// The number of requests this connection has sent before.
    pub(crate) round: usize,
    /// The number of the request among those of all connections, from 0.
    pub(crate) number: usize,
}

/// The outcome of a call: the kind of its error, if it failed.
pub(crate) type Outcome = Result<(), String>;

/// One connection of a scenario.
pub(crate) trait Caller: Send + 'static {
    /// Sends the request of an iteration and waits for its reply. Fails when there is no
    /// such request.
    fn call(&mut self, iteration: Iteration) -> impl Future<Output = Result<Outcome>> + Send;
}

/// The requests of a scenario.
pub(crate) trait Workload: Send + Sync + 'static {
    /// Builds the request of an iteration.
    fn request(&self, iteration: Iteration) -> Result<HttpRequest>;

    /// Whether a reply counts as a success.
    fn is_success(&self, reply: &Reply) -> bool {
        reply.status.is_success()
    }
}

/// The amount of load.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Load {
    pub(crate) connections: usize,
    pub(crate) warm_up: Duration,
    pub(crate) measure: Duration,
    pub(crate) max_requests: u64,
}

impl Load {
    /// This load without a warm-up, and with at most this many requests.
    pub(crate) fn for_requests(self, max_requests: u64) -> Self {
        Self { warm_up: Duration::ZERO, max_requests, ..self }
    }
}

impl From<&Plan> for Load {
    fn from(plan: &Plan) -> Self {
        Self {
            connections: usize::from(plan.connections),
            warm_up: plan.warm_up,
            measure: plan.measure,
            max_requests: plan.max_requests,
        }
    }
}

/// The time in which successes are recorded.
#[derive(Debug, Clone, Copy)]
struct Window {
    opens: Instant,
    closes: Instant,
}

struct Job {
    window: Window,
    sent: AtomicU64,
    max_requests: u64,
}

/// A connection that sends the requests of a workload.
struct HttpCaller<W> {
    connection: Connection,
    workload: Arc<W>,
}

impl<W: Workload> Caller for HttpCaller<W> {
    async fn call(&mut self, iteration: Iteration) -> Result<Outcome> {
        let request = self.workload.request(iteration)?;
        Ok(match self.connection.call(request).await {
            Ok(reply) if self.workload.is_success(&reply) => Ok(()),
            Ok(reply) => Err(error_kind(&reply)),
            Err(error) => Err(format!("{error:#}")),
        })
    }
}

impl Load {
    /// Sends the workload to `target` and measures the processor time of a request.
    pub(crate) async fn run<W: Workload>(
        self,
        target: Target,
        workload: W,
        meter: &CpuMeter,
    ) -> Result<Figures> {
        let workload = Arc::new(workload);
        let caller =
            || HttpCaller { connection: Connection::new(target), workload: Arc::clone(&workload) };
        self.drive(caller, meter).await
    }

    /// Lets each connection call in a loop, and measures the processor time of a call.
    pub(crate) async fn drive<C: Caller>(
        self,
        caller: impl Fn() -> C,
        meter: &CpuMeter,
    ) -> Result<Figures> {
        let opens = Instant::now() + self.warm_up;
        let window = Window { opens, closes: opens + self.measure };
        let sent = AtomicU64::new(0);
        let job = Arc::new(Job { window, sent, max_requests: self.max_requests });
        let mut workers = JoinSet::new();
        for worker in 0..self.connections {
            workers.spawn(send_requests(job.clone(), worker, caller()));
        }
        let cpu_at_opening = async {
            sleep_until(window.opens).await;
            meter.read()
        };
        let (before, all) = tokio::join!(cpu_at_opening, join_all(workers));
        // Connections stay open until the meter is read: a process of PostgreSQL that ends while
        // its relatives are listed is counted nowhere.
        let (recorder, last, _callers) = all?;
        // The window is shorter than planned when `max_requests` ended the run.
        let used = last.min(window.closes).saturating_duration_since(window.opens);
        let figures = recorder.figures(used);
        let cpu = meter.read().per_request(&before, figures.count);
        Ok(Figures { cpu, ..figures })
    }
}

/// Waits for all workers; returns their merged records, when the last one stopped, and their
/// connections.
async fn join_all<C: Caller>(
    mut workers: JoinSet<Result<(Recorder, Instant, C)>>,
) -> Result<(Recorder, Instant, Vec<C>)> {
    let mut all = Recorder::new()?;
    let mut last = Instant::now();
    let mut callers = Vec::new();
    while let Some(done) = workers.join_next().await {
        let (recorder, ended, caller) = done??;
        all.merge(&recorder)?;
        last = last.max(ended);
        callers.push(caller);
    }
    Ok((all, last, callers))
}

/// The loop of one connection; returns its records, when it stopped, and the connection.
async fn send_requests<C: Caller>(
    job: Arc<Job>,
    worker: usize,
    mut caller: C,
) -> Result<(Recorder, Instant, C)> {
    let mut recorder = Recorder::new()?;
    let mut round = 0;
    loop {
        let begun = Instant::now();
        let sent = job.sent.fetch_add(1, Ordering::Relaxed);
        if begun >= job.window.closes || sent >= job.max_requests {
            return Ok((recorder, begun, caller));
        }
        let number = usize::try_from(sent)?;
        let outcome = caller.call(Iteration { worker, round, number }).await?;
        let ended = Instant::now();
        round += 1;
        let counts = job.window.opens <= ended && ended <= job.window.closes;
        match outcome {
            Ok(()) if counts => recorder.success(ended - begun),
            Ok(()) => {}
            Err(kind) => {
                // Errors of the warm-up count too: after them the figures mean nothing.
                recorder.error(kind);
                sleep(ERROR_PAUSE).await;
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

    impl Workload for Path {
        fn request(&self, _: Iteration) -> Result<HttpRequest> {
            get(self.0)
        }
    }

    async fn server(servers: &mut JoinSet<()>) -> Target {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let target = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new()
            .route("/ok", on_get(|| async { "ok" }))
            .route("/limited", on_get(|| async { StatusCode::TOO_MANY_REQUESTS }));
        servers.spawn(async move { axum::serve(listener, router).await.unwrap() });
        target.parse().unwrap()
    }

    fn load(max_requests: u64) -> Load {
        Load {
            connections: 4,
            warm_up: Duration::from_millis(1),
            measure: Duration::from_secs(2),
            max_requests,
        }
    }

    #[tokio::test]
    async fn a_run_ends_after_the_maximum_of_requests() {
        let mut servers = JoinSet::new();
        let target = server(&mut servers).await;
        let begun = Instant::now();
        let figures = load(500).run(target, Path("/ok"), &CpuMeter::new(&[])).await.unwrap();
        assert!(figures.count <= 500 && figures.count > 0, "{figures:?}");
        assert_eq!(figures.error_count(), 0);
        assert!(begun.elapsed() < Duration::from_secs(2), "{figures:?}");
    }

    #[tokio::test]
    async fn a_refused_request_is_counted_as_an_error_only() {
        let mut servers = JoinSet::new();
        let target = server(&mut servers).await;
        let figures = load(20).run(target, Path("/limited"), &CpuMeter::new(&[])).await.unwrap();
        assert_eq!((figures.count, figures.per_second), (0, 0));
        assert_eq!(figures.errors.get("429"), Some(&20));
    }

    #[tokio::test]
    async fn a_refused_connection_is_counted_as_an_error() {
        let target = "http://127.0.0.1:1".parse().unwrap();
        let figures = load(8).run(target, Path("/"), &CpuMeter::new(&[])).await.unwrap();
        assert_eq!(figures.error_count(), 8);
    }
}
