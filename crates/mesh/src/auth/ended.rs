//! Sessions that ended before their access tokens did.
//!
//! An access token is good by its signature alone, so a sign-out has to be told
//! to everybody who judges tokens. svc-auth keeps the truth in Postgres; each of
//! its replicas and each process that judges tokens holds one of these lists, and
//! the first keep the others' true ([`follow`]).

use std::{
    collections::{HashSet, VecDeque},
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use anyhow::{Context as _, bail};
use futures_util::{Stream, stream};
use proto::auth::v1::{
    self as wire, WatchEndedSessionsRequest, WatchEndedSessionsResponse,
    key_service_client::KeyServiceClient,
};
use time::OffsetDateTime;
use tokio::{
    sync::{SetOnce, watch},
    time::{Instant, timeout},
};
use tonic::Status;
use tracing::{info, warn};
use types::{Clock, SessionId};

use crate::{Shutdown, grpc::client::Upstream};

/// The pause before svc-auth is asked again after it went away.
const PAUSE: Duration = Duration::from_millis(500);
/// How often svc-auth says a word, be it empty, as long as it reads what ends.
const WORD: Duration = Duration::from_secs(1);
/// After so long without one it cannot be heard, or hears nothing itself.
const SILENCE: Duration = Duration::from_secs(3);

/// A session whose access tokens are refused until they would have expired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndedSession {
    /// Which.
    pub id: SessionId,
    /// When its last access token has expired by itself.
    pub forget_at: OffsetDateTime,
}

/// The list, in the order in which it grew. Cheap to clone; clones are one list.
#[derive(Debug, Clone)]
pub struct EndedSessions {
    list: Arc<RwLock<List>>,
    grown: Arc<watch::Sender<u64>>,
    /// When it was last known to be whole.
    learned: Arc<watch::Sender<Option<Instant>>>,
}

#[derive(Debug, Default)]
struct List {
    /// The place of the next entry.
    end: u64,
    /// Each with its place, in their order.
    entries: VecDeque<(u64, EndedSession)>,
    ids: HashSet<SessionId>,
}

impl Default for EndedSessions {
    fn default() -> Self {
        Self {
            list: Arc::default(),
            grown: Arc::new(watch::Sender::new(0)),
            learned: Arc::new(watch::Sender::new(None)),
        }
    }
}

impl EndedSessions {
    /// Adds what is new of these, and forgets what has become old. Who looked and found
    /// nothing says so here, too.
    pub fn learn(&self, news: impl IntoIterator<Item = EndedSession>, now: OffsetDateTime) {
        let mut list = self.list.write().unwrap_or_else(PoisonError::into_inner);
        let before = list.end;
        for session in news.into_iter().filter(|session| session.forget_at > now) {
            list.add(session);
        }
        list.forget(now);
        let end = list.end;
        drop(list);
        if end > before {
            self.grown.send_replace(end);
        }
        self.learned.send_replace(Some(Instant::now()));
    }

    /// Whether a session has ended.
    pub fn contains(&self, id: SessionId) -> bool {
        self.read().ids.contains(&id)
    }

    /// Resolves when a session has ended.
    pub async fn ended(&self, id: SessionId) {
        let mut grown = self.grown.subscribe();
        while !self.contains(id) {
            if grown.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    /// The whole list and all that is added to it, as svc-auth tells it. The first word
    /// comes at once, and then one a second, be they empty: whoever hears them knows that
    /// all is told. While nothing is learned here, nothing is said.
    pub fn told(&self) -> impl Stream<Item = WatchEndedSessionsResponse> + Send + use<> {
        let learned = self.learned.subscribe();
        stream::unfold((self.clone(), learned, None), |(list, mut learned, said)| async move {
            let (place, at) = said.unzip();
            loop {
                let whole = *learned.borrow_and_update();
                let (sessions, end) = list.since(place.unwrap_or(0));
                let due = at.is_none_or(|at: Instant| at.elapsed() >= WORD);
                if whole.is_some_and(|at| at.elapsed() < SILENCE) && (due || !sessions.is_empty()) {
                    let sessions = sessions.into_iter().map(EndedSession::into).collect();
                    let word = WatchEndedSessionsResponse { sessions };
                    return Some((word, (list, learned, Some((end, Instant::now())))));
                }
                learned.changed().await.ok()?;
            }
        })
    }

    /// What was added from a place on, and the place after it.
    fn since(&self, place: u64) -> (Vec<EndedSession>, u64) {
        let list = self.read();
        let known = list.entries.partition_point(|&(at, _)| at < place);
        (list.entries.range(known..).map(|&(_, session)| session).collect(), list.end)
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, List> {
        self.list.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl From<EndedSession> for wire::EndedSession {
    fn from(session: EndedSession) -> Self {
        Self {
            session_id: session.id.to_string(),
            forget_at: Some(proto::timestamp(session.forget_at)),
        }
    }
}

impl TryFrom<wire::EndedSession> for EndedSession {
    type Error = anyhow::Error;

    fn try_from(told: wire::EndedSession) -> anyhow::Result<Self> {
        let forget_at = proto::from_timestamp(told.forget_at, "forget_at");
        Ok(Self {
            id: SessionId::parse(&told.session_id)?,
            forget_at: forget_at.ok().context("an ended session without its time")?,
        })
    }
}

impl List {
    fn add(&mut self, session: EndedSession) {
        if self.ids.insert(session.id) {
            self.entries.push_back((self.end, session));
            self.end += 1;
        }
    }

    /// All of it is looked at, because entries are only nearly in the order of their time:
    /// one of a clock that was wrong must not keep those behind it for ever.
    fn forget(&mut self, now: OffsetDateTime) {
        let Self { entries, ids, .. } = self;
        entries.retain(|(_, session)| session.forget_at > now || !ids.remove(&session.id));
    }
}

/// Keeps a list as svc-auth has it, until the stop, and says when it is whole for the
/// first time. While svc-auth is away the list stays as it was: an outage signs nobody
/// out, and a sign-out needs svc-auth.
pub(super) fn follow(
    list: EndedSessions,
    clock: Clock,
    upstream: Upstream,
    shutdown: &Shutdown,
) -> Arc<SetOnce<()>> {
    let client = KeyServiceClient::new(upstream);
    let stop = shutdown.clone();
    let whole = Arc::new(SetOnce::new());
    let heard = Arc::clone(&whole);
    shutdown.spawn("ended sessions", async move {
        let mut away = false;
        loop {
            let told = tokio::select! {
                told = hear(&list, &clock, client.clone(), &mut away, &heard) => told,
                () = stop.stopping() => return,
            };
            if let Err(error) = told
                && !away
            {
                away = true;
                warn!(error = format!("{error:#}"), "sign-outs are not heard for now");
            }
            tokio::select! {
                () = tokio::time::sleep(PAUSE) => {}
                () = stop.stopping() => return,
            }
        }
    });
    whole
}

/// Hears sign-outs until svc-auth stops telling, or falls silent.
async fn hear(
    list: &EndedSessions,
    clock: &Clock,
    mut client: KeyServiceClient<Upstream>,
    away: &mut bool,
    heard: &SetOnce<()>,
) -> anyhow::Result<()> {
    let reply = in_time(client.watch_ended_sessions(WatchEndedSessionsRequest {})).await?;
    let mut news = reply.into_inner();
    while let Some(told) = in_time(news.message()).await? {
        if std::mem::take(away) {
            info!("sign-outs are heard again");
        }
        let sessions = told.sessions.into_iter().map(EndedSession::try_from);
        list.learn(sessions.collect::<anyhow::Result<Vec<_>>>()?, clock.now());
        // Said before by each word but the first.
        let _ = heard.set(());
    }
    bail!("svc-auth ended the stream")
}

/// What svc-auth says, if it says anything.
async fn in_time<T>(word: impl Future<Output = Result<T, Status>>) -> anyhow::Result<T> {
    Ok(timeout(SILENCE, word).await.context("svc-auth is silent")??)
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures_util::{FutureExt as _, StreamExt as _};
    use time::Duration;
    use types::Chance;

    use super::*;

    fn ended(minutes: i64) -> EndedSession {
        let id = SessionId::mint(&Clock::system(), &Chance::system());
        EndedSession { id, forget_at: OffsetDateTime::UNIX_EPOCH + Duration::minutes(minutes) }
    }

    #[test]
    fn a_session_is_told_once_and_forgotten_in_time() {
        let list = EndedSessions::default();
        let (first, second) = (ended(1), ended(2));
        list.learn([first, first, second], OffsetDateTime::UNIX_EPOCH);
        let (all, place) = list.since(0);
        assert_eq!(all, [first, second]);

        let third = ended(3);
        list.learn([first, third], OffsetDateTime::UNIX_EPOCH);
        assert_eq!(list.since(place).0, [third]);

        list.learn([], first.forget_at);
        assert!(!list.contains(first.id) && list.contains(second.id));
        assert_eq!(list.since(place).0, [third], "a place stays a place");
    }

    #[test]
    fn one_of_a_wrong_clock_keeps_nothing_but_itself() {
        let list = EndedSessions::default();
        let (far, near, third) = (ended(1_000_000), ended(1), ended(2));
        list.learn([far, near], OffsetDateTime::UNIX_EPOCH);
        let (_, place) = list.since(0);
        list.learn([third], near.forget_at);
        assert!(!list.contains(near.id) && list.contains(far.id));
        assert_eq!(list.since(0).0, [far, third]);
        assert_eq!(list.since(place).0, [third]);
    }

    #[tokio::test]
    async fn words_are_said_while_somebody_looks_and_not_otherwise() {
        let list = EndedSessions::default();
        let mut told = pin!(list.told());
        assert_eq!(told.next().now_or_never(), None, "nobody has looked");
        list.learn([], OffsetDateTime::UNIX_EPOCH);
        let empty = WatchEndedSessionsResponse::default();
        assert_eq!(told.next().await, Some(empty.clone()), "at once");
        assert_eq!(told.next().now_or_never(), None, "nobody looks any more");

        let session = ended(1);
        list.learn([session], OffsetDateTime::UNIX_EPOCH);
        assert_eq!(told.next().await.map(|word| word.sessions), Some(vec![session.into()]));
        let looking = async {
            loop {
                list.learn([], OffsetDateTime::UNIX_EPOCH);
                tokio::time::sleep(WORD / 10).await;
            }
        };
        let word = tokio::select! {
            word = told.next() => word,
            () = looking => None,
        };
        assert_eq!(word, Some(empty), "there is nothing new, and that is said");
    }

    #[tokio::test]
    async fn whoever_waits_for_an_end_hears_it() {
        let list = EndedSessions::default();
        let session = ended(1);
        let (waiting, ()) =
            (list.ended(session.id), list.learn([session], OffsetDateTime::UNIX_EPOCH));
        waiting.await;
    }
}
