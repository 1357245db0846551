//! The outside world: one state, changed in one place, kept on disk, watched by
//! the page.

pub(crate) mod account;
pub(crate) mod fault;
pub(crate) mod handset;
mod journal;
pub(crate) mod mail;
pub(crate) mod payment;
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
use crate::config::{Merchant, Options, Settings, SmsApp, SocialApps};
use journal::Journal;
use state::{Fact, State};

/// What every handler holds.
pub(crate) type Shared = Arc<World>;

/// The state with its memory, its watchers and its running errands.
pub(crate) struct World {
    kept: Mutex<Kept>,
    written: watch::Receiver<u64>,
    changes: watch::Sender<u64>,
    pub(crate) merchant: Merchant,
    pub(crate) sms: SmsApp,
    pub(crate) social: SocialApps,
    /// Where people and programs find this world: `http://127.0.0.1:8090`.
    base: String,
    /// What a reset goes back to.
    pub(crate) settings: Settings,
    /// Posts callbacks.
    pub(crate) http: reqwest::Client,
    /// Everything that runs: the server and what goes on beside its requests.
    pub(crate) errands: TaskTracker,
    /// Ends the errands.
    pub(crate) stop: CancellationToken,
    /// The memory, which outlasts the errands.
    memory: TaskTracker,
}

struct Kept {
    state: State,
    journal: Option<Journal>,
}

impl World {
    /// Opens the world that the folder of these options holds, or an empty one.
    pub(crate) fn open(
        options: Options,
        addr: SocketAddr,
        http: reqwest::Client,
    ) -> io::Result<Shared> {
        let Options { state: folder, merchant, sms, social, settings, url, .. } = options;
        let memory = TaskTracker::new();
        let (state, journal, written) = match &folder {
            Some(folder) => {
                let (state, journal, writer, written) = journal::open(folder, &settings)?;
                memory.spawn_blocking(|| writer.run());
                (state, Some(journal), written)
            }
            None => (State::new(settings.clone()), None, watch::channel(0).1),
        };
        Ok(Arc::new(Self {
            kept: Mutex::new(Kept { state, journal }),
            written,
            changes: watch::channel(0).0,
            merchant,
            sms,
            social,
            base: url.unwrap_or_else(|| format!("http://{addr}")).trim_end_matches('/').to_owned(),
            settings,
            http,
            errands: TaskTracker::new(),
            stop: CancellationToken::new(),
            memory,
        }))
    }

    /// Looks at the state.
    pub(crate) fn read<T>(&self, look: impl FnOnce(&State) -> T) -> T {
        look(&self.kept().state)
    }

    /// Decides on the state as it is now and makes the facts so, in one step.
    /// Comes back when they are written.
    pub(crate) async fn change<T, E>(
        &self,
        decide: impl FnOnce(&State) -> Result<(Vec<Fact>, T), E>,
    ) -> Result<T, E> {
        let (answer, number) = {
            let mut kept = self.kept();
            let (facts, answer) = decide(&kept.state)?;
            (answer, kept.record(facts))
        };
        self.changes.send_modify(|version| *version += 1);
        if let Some(number) = number {
            // An error means that the writer is gone; it has logged why.
            let _ = self.written.clone().wait_for(|written| *written >= number).await;
        }
        Ok(answer)
    }

    /// As [`World::change`], where nothing can be refused.
    pub(crate) async fn update<T>(&self, decide: impl FnOnce(&State) -> (Vec<Fact>, T)) -> T {
        self.change(|state| Ok::<_, Infallible>(decide(state)))
            .await
            .unwrap_or_else(|never| match never {})
    }

    /// Google's name for itself in this world.
    pub(crate) fn issuer(&self) -> String {
        format!("{}/oidc/google", self.base)
    }

    /// A ticket that is renewed at every change.
    pub(crate) fn watch(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Waits for a moment of the outside world. False: the sandbox stops first.
    pub(crate) async fn wait_until(&self, moment: OffsetDateTime) -> bool {
        let left = Duration::try_from(moment - clock::now()).unwrap_or_default();
        tokio::select! {
            () = tokio::time::sleep(left) => true,
            () = self.stop.cancelled() => false,
        }
    }

    /// Stops the errands, lets them finish, and then closes the memory.
    pub(crate) async fn close(&self) {
        self.stop.cancel();
        self.errands.close();
        self.errands.wait().await;
        self.kept().journal = None;
        self.memory.close();
        self.memory.wait().await;
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        // A panic under the lock can only come from `decide`, before any
        // change, so the state is whole.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn record(&mut self, facts: Vec<Fact>) -> Option<u64> {
        if facts.is_empty() {
            return None;
        }
        for fact in &facts {
            self.state.apply(fact.clone());
        }
        match self.journal.as_mut()?.append(&facts, &self.state) {
            Ok(number) => Some(number),
            Err(error) => {
                tracing::error!(%error, "the world could not be saved");
                None
            }
        }
    }
}
