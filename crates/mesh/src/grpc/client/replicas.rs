//! The replicas of an upstream, and the connections to them.
//!
//! Each address that the upstream's URLs resolve to has a task that keeps one connection
//! open, and replaces it when it is old: so calls are spread over all replicas, and new
//! ones get their share. A call that a closing connection did not take is sent on another
//! one. tonic's own channel cannot do this: its balancer also picks replicas that are not
//! connected, drops the calls that wait while a connection ages, and never reads a renewed
//! certificate (decision 17).

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{
        Arc, Weak,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use anyhow::{Context as _, ensure};
use arc_swap::ArcSwap;
use http::{Request, Response, Uri};
use hyper::body::Incoming;
use metrics::gauge;
use tokio::{
    net::lookup_host,
    sync::watch,
    time::{Instant, timeout, timeout_at},
};
use tokio_util::sync::{CancellationToken, DropGuard};
use tonic::body::Body;
use tracing::{info, warn};
use types::Rng;

use super::connection::{Connection, SendError, spawn};
use crate::tls::Certificates;

/// How often the URLs are resolved.
const RESOLVE_INTERVAL: Duration = Duration::from_secs(5);
/// Longest that resolving may take.
const RESOLVE_LIMIT: Duration = Duration::from_secs(3);
/// A connection is replaced at this age, and up to half as much later.
const MAX_AGE: Duration = Duration::from_mins(5);
/// The pause after a connection failed; it doubles up to [`RETRY_MAX`].
const RETRY_MIN: Duration = Duration::from_millis(50);
const RETRY_MAX: Duration = Duration::from_secs(1);
/// Most connections that one call is given to, while none takes it.
const ATTEMPTS: usize = 4;
/// Most addresses of an upstream.
const ADDRESSES: usize = 64;

/// The connections to all replicas of an upstream. Cheap to clone.
#[derive(Clone)]
pub(super) struct Replicas {
    shared: Arc<Shared>,
    /// Ends the tasks when the last clone is dropped.
    _guard: Arc<DropGuard>,
}

struct Shared {
    callee: &'static str,
    certificates: Certificates,
    rng: Rng,
    open: ArcSwap<Vec<Arc<Connection>>>,
    next: AtomicUsize,
    state: watch::Sender<State>,
}

/// Why a request has no reply.
#[derive(Debug)]
pub(super) enum SendFailure {
    /// No replica is in reach: nothing was sent.
    OutOfReach,
    /// The connection broke: the request may have been received.
    Lost(String),
}

/// What is known about the addresses.
#[derive(Debug, Default)]
struct State {
    /// By address, whether the last try to connect failed. Empty before the first lookup.
    failed: HashMap<SocketAddr, bool>,
    /// Whether the last lookup failed or found nothing.
    unresolved: bool,
}

impl State {
    fn is_out_of_reach(&self) -> bool {
        self.unresolved && self.failed.is_empty()
            || !self.failed.is_empty() && self.failed.values().all(|failed| *failed)
    }
}

impl Replicas {
    /// The replicas at a comma-separated list of URLs, each `https://host:port`.
    pub(super) fn at(
        urls: &str,
        callee: &'static str,
        certificates: Certificates,
        rng: Rng,
    ) -> anyhow::Result<Self> {
        let hosts = urls
            .split(',')
            .map(|url| host(url.trim()).with_context(|| format!("{url} is no URL of {callee}")))
            .collect::<anyhow::Result<Vec<_>>>()?;
        let stop = CancellationToken::new();
        let shared = Arc::new(Shared {
            callee,
            certificates,
            rng,
            open: ArcSwap::default(),
            next: AtomicUsize::new(0),
            state: watch::Sender::new(State::default()),
        });
        spawn(follow(Arc::downgrade(&shared), hosts, stop.clone()));
        Ok(Self { shared, _guard: Arc::new(stop.drop_guard()) })
    }

    /// Sends a request to one of the replicas. Fails at once when none is in reach.
    pub(super) async fn send(
        &self,
        mut request: Request<Body>,
        deadline: Instant,
    ) -> Result<Response<Incoming>, SendFailure> {
        for _ in 0..ATTEMPTS {
            let connection = timeout_at(deadline, self.connection()).await;
            let connection = connection.map_err(|_| SendFailure::OutOfReach)??;
            match connection.send(request).await {
                Ok(response) => return Ok(response),
                Err(SendError::Unsent(unsent)) => request = *unsent,
                Err(SendError::Lost(error)) => {
                    return Err(SendFailure::Lost(error.to_string()));
                }
            }
        }
        Err(SendFailure::OutOfReach)
    }

    /// Returns an open connection; waits for one until it is known that no replica is in reach.
    async fn connection(&self) -> Result<Arc<Connection>, SendFailure> {
        if let Some(connection) = self.shared.pick() {
            return Ok(connection);
        }
        let mut state = self.shared.state.subscribe();
        loop {
            let out_of_reach = state.borrow_and_update().is_out_of_reach();
            if let Some(connection) = self.shared.pick() {
                return Ok(connection);
            }
            if out_of_reach || state.changed().await.is_err() {
                return Err(SendFailure::OutOfReach);
            }
        }
    }
}

impl Shared {
    /// Takes two connections in turn, and returns the one with fewer calls in flight.
    fn pick(&self) -> Option<Arc<Connection>> {
        let open = self.open.load();
        let first = self.next.fetch_add(1, Ordering::Relaxed);
        let usable = |offset: usize| {
            let connection = open.get((first.wrapping_add(offset)) % open.len())?;
            (!connection.is_closed()).then_some(connection)
        };
        let mut candidates = (0..open.len()).filter_map(usable);
        let (one, two) = (candidates.next()?, candidates.next());
        let least = two.filter(|two| two.in_flight() < one.in_flight()).unwrap_or(one);
        Some(Arc::clone(least))
    }

    fn replace(&self, old: Option<&Arc<Connection>>, new: Option<&Arc<Connection>>) {
        self.open.rcu(|open| {
            let kept = open.iter().filter(|kept| old.is_none_or(|old| !Arc::ptr_eq(kept, old)));
            kept.chain(new).cloned().collect::<Vec<_>>()
        });
        let count = u32::try_from(self.open.load().len()).unwrap_or(u32::MAX);
        gauge!("rpc_client_connections", "upstream" => self.callee).set(f64::from(count));
    }
}

/// Keeps a task for each address that the hosts resolve to.
async fn follow(shared: Weak<Shared>, hosts: Vec<String>, stop: CancellationToken) {
    let mut tasks: HashMap<SocketAddr, DropGuard> = HashMap::new();
    loop {
        let (resolved, complete) = tokio::select! {
            resolved = timeout(RESOLVE_LIMIT, resolve(&hosts)) => resolved.unwrap_or_default(),
            () = stop.cancelled() => return,
        };
        let Some(shared) = shared.upgrade() else { return };
        // When the resolver is out of reach, the known addresses stay.
        if complete && !resolved.is_empty() {
            tasks.retain(|address, _| resolved.contains(address));
        }
        for address in &resolved {
            tasks.entry(*address).or_insert_with(|| {
                let token = stop.child_token();
                spawn(keep_connected(Arc::downgrade(&shared), *address, token.clone()));
                token.drop_guard()
            });
        }
        shared.state.send_modify(|state| {
            state.unresolved = resolved.is_empty();
            state.failed.retain(|address, _| tasks.contains_key(address));
            for address in tasks.keys() {
                state.failed.entry(*address).or_default();
            }
        });
        drop(shared);
        tokio::select! {
            () = tokio::time::sleep(RESOLVE_INTERVAL) => {}
            () = stop.cancelled() => return,
        }
    }
}

/// The addresses of the hosts, and whether all hosts were resolved.
async fn resolve(hosts: &[String]) -> (Vec<SocketAddr>, bool) {
    let (mut addresses, mut complete) = (Vec::new(), true);
    for host in hosts {
        match lookup_host(host).await {
            Ok(found) => addresses.extend(found),
            Err(error) => {
                warn!(host, %error, "cannot resolve an upstream");
                complete = false;
            }
        }
    }
    addresses.sort_unstable();
    addresses.dedup();
    addresses.truncate(ADDRESSES);
    (addresses, complete)
}

/// Keeps one connection to an address open until the address is gone.
async fn keep_connected(shared: Weak<Shared>, address: SocketAddr, stop: CancellationToken) {
    let mut current: Option<Arc<Connection>> = None;
    let mut pause = RETRY_MIN;
    loop {
        let Some(cx) = shared.upgrade() else { return };
        let opened = tokio::select! {
            opened = Connection::open(address, cx.callee, &cx.certificates) => opened,
            () = stop.cancelled() => break,
        };
        let wait = match opened {
            Ok(connection) => {
                let connection = Arc::new(connection);
                cx.replace(current.as_ref(), Some(&connection));
                current = Some(connection);
                if cx.set_failed(address, false) {
                    info!(upstream = cx.callee, %address, "connected again");
                }
                pause = RETRY_MIN;
                MAX_AGE + jitter(&cx.rng, MAX_AGE / 2)
            }
            Err(error) => {
                if !cx.set_failed(address, current.is_none()) && current.is_none() {
                    warn!(upstream = cx.callee, %address, error = format!("{error:#}"), "cannot connect");
                }
                pause = (pause * 2).min(RETRY_MAX);
                pause + jitter(&cx.rng, pause / 2)
            }
        };
        drop(cx);
        let ended = async {
            match &current {
                Some(connection) => connection.closed().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = stop.cancelled() => break,
            () = ended => {
                let Some(cx) = shared.upgrade() else { return };
                cx.replace(current.take().as_ref(), None);
            }
        }
    }
    if let (Some(cx), Some(connection)) = (shared.upgrade(), current) {
        cx.replace(Some(&connection), None);
    }
}

impl Shared {
    /// Sets whether the last try at an address failed; returns the value before.
    fn set_failed(&self, address: SocketAddr, failed: bool) -> bool {
        let mut before = false;
        self.state.send_modify(|state| {
            if let Some(known) = state.failed.get_mut(&address) {
                before = std::mem::replace(known, failed);
            }
        });
        before
    }
}

/// A random time up to `most`, so that replicas that restart do not meet all their callers at once.
fn jitter(rng: &Rng, most: Duration) -> Duration {
    let part = u32::from(u16::from_be_bytes(rng.bytes()));
    most * part / u32::from(u16::MAX)
}

/// The host and port of a URL.
fn host(url: &str) -> anyhow::Result<String> {
    let uri: Uri = url.parse().context("not a URL")?;
    ensure!(uri.scheme_str() == Some("https"), "not https");
    let authority = uri.authority().context("no host")?;
    ensure!(authority.port().is_some() && uri.path() == "/", "not https://host:port");
    Ok(authority.as_str().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upstream_is_https_with_a_host_and_a_port() {
        assert_eq!(host("https://svc-auth-headless:50051").unwrap(), "svc-auth-headless:50051");
        for url in ["http://svc-auth:50051", "https://svc-auth", "https://a:1/path", "svc-auth:1"] {
            assert!(host(url).is_err(), "{url}");
        }
    }
}
