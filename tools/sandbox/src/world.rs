//! The state of all providers, changed in one place and kept on disk.

pub(crate) mod account;
pub(crate) mod airtime;
pub(crate) mod b2c;
pub(crate) mod book;
mod bounded;
pub(crate) mod card;
pub(crate) mod fault;
pub(crate) mod handset;
mod journal;
pub(crate) mod mail;
pub(crate) mod msisdn;
pub(crate) mod outcome;
pub(crate) mod outgoing;
pub(crate) mod payment;
pub(crate) mod payout;
pub(crate) mod push;
pub(crate) mod sms;
pub(crate) mod social;
pub(crate) mod state;

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use time::OffsetDateTime;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::clock;
use crate::config::{CarrierApp, Merchant, Options, PaystackApp, Settings, SmsApp, SocialApps};
use journal::Journal;
use state::{Fact, WorldState};

/// The state of every axum handler.
pub(crate) type Shared = Arc<World>;

/// The providers' state, configuration and running tasks.
#[derive(Debug)]
pub(crate) struct World {
    stored: Mutex<Stored>,
    changes: watch::Sender<u64>,
    pub(crate) merchant: Merchant,
    pub(crate) paystack: PaystackApp,
    pub(crate) carrier: CarrierApp,
    pub(crate) sms: SmsApp,
    pub(crate) social: SocialApps,
    /// Base URL without a slash at the end: `http://127.0.0.1:8090`.
    url: String,
    /// The settings after a reset.
    pub(crate) settings: Settings,
    /// Posts callbacks.
    pub(crate) http: reqwest::Client,
    /// The servers and the tasks that outlive a request.
    pub(crate) tasks: TaskTracker,
    /// Stops the tasks.
    pub(crate) stop: CancellationToken,
}

#[derive(Debug)]
struct Stored {
    state: WorldState,
    journal: Option<Journal>,
}

impl World {
    /// Reads the state from the folder of these options; without one it is empty.
    pub(crate) fn open(
        options: Options,
        addr: SocketAddr,
        http: reqwest::Client,
    ) -> io::Result<Shared> {
        let Options {
            state: folder, merchant, paystack, carrier, sms, social, settings, url, ..
        } = options;
        let mut state = WorldState::new(settings.clone());
        let journal = folder.map(|folder| Journal::open(&folder, &mut state)).transpose()?;
        Ok(Arc::new(Self {
            stored: Mutex::new(Stored { state, journal }),
            changes: watch::channel(0).0,
            merchant,
            paystack,
            carrier,
            sms,
            social,
            url: url.unwrap_or_else(|| format!("http://{addr}")).trim_end_matches('/').to_owned(),
            settings,
            http,
            tasks: TaskTracker::new(),
            stop: CancellationToken::new(),
        }))
    }

    /// Reads the state.
    pub(crate) fn read<T>(&self, look: impl FnOnce(&WorldState) -> T) -> T {
        look(&self.stored().state)
    }

    /// Decides on the current state, then applies the facts and writes them to the
    /// journal under the same lock. A reply sent afterwards survives `kill -9`.
    pub(crate) fn change<T, E>(
        &self,
        decide: impl FnOnce(&WorldState) -> Result<(Vec<Fact>, T), E>,
    ) -> Result<T, E> {
        let mut stored = self.stored();
        let (facts, answer) = decide(&stored.state)?;
        if !facts.is_empty() {
            stored.apply(&facts);
            self.changes.send_modify(|version| *version += 1);
        }
        Ok(answer)
    }

    /// Like [`World::change`], for a decision that refuses nothing.
    pub(crate) fn update<T>(&self, decide: impl FnOnce(&WorldState) -> (Vec<Fact>, T)) -> T {
        self.change(|state| Ok::<_, Infallible>(decide(state)))
            .unwrap_or_else(|never| match never {})
    }

    /// Like [`World::change`], for facts that do not depend on the state.
    pub(crate) fn record(&self, facts: impl Into<Vec<Fact>>) {
        self.update(|_| (facts.into(), ()));
    }

    /// Google's OpenID Connect issuer.
    pub(crate) fn issuer(&self) -> String {
        format!("{}/oidc/google", self.url)
    }

    /// A URL of the sandbox, as browsers and services reach it.
    pub(crate) fn link(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    /// A receiver that is notified of every change.
    pub(crate) fn watch(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Waits until this time; false if the sandbox stops first.
    pub(crate) async fn wait_until(&self, time: OffsetDateTime) -> bool {
        let left = Duration::try_from(time - clock::now()).unwrap_or_default();
        tokio::select! {
            () = tokio::time::sleep(left) => true,
            () = self.stop.cancelled() => false,
        }
    }

    /// Stops the tasks and waits for them.
    pub(crate) async fn close(&self) {
        self.stop.cancel();
        self.tasks.close();
        self.tasks.wait().await;
    }

    fn stored(&self) -> MutexGuard<'_, Stored> {
        // Only `decide` can panic under the lock, before any change, so the state is
        // consistent.
        self.stored.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stored {
    fn apply(&mut self, facts: &[Fact]) {
        for fact in facts {
            self.state.apply(fact.clone());
        }
        if let Some(journal) = &mut self.journal
            && let Err(error) = journal.append(facts, &self.state)
        {
            tracing::error!(%error, "the journal could not be written; the state is in memory only");
        }
    }
}
