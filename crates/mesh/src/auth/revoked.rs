//! Revoked sessions: sessions that ended before their access tokens expired.
//!
//! An access token is valid by its signature alone, so every process that verifies tokens
//! has to know who signed out. svc-auth keeps the truth in Postgres; each of its replicas
//! and each other process holds one of these lists, which [`follow`] keeps current.

use std::{
    collections::{HashSet, VecDeque},
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use anyhow::{Context as _, bail};
use futures_util::{Stream, stream};
use proto::auth::v1::{
    self as wire, WatchRevokedSessionsRequest, WatchRevokedSessionsResponse,
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

/// The pause before a stream that ended is opened again.
const RETRY: Duration = Duration::from_millis(500);
/// How often svc-auth sends a message, possibly an empty one, while its list is current.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// After this long without a heartbeat the stream counts as broken.
const HEARTBEAT_LIMIT: Duration = Duration::from_secs(3);
/// Longest message, in bytes. The first message has the whole list: about a million sessions fit,
/// where gRPC's usual limit fits 70,000, beyond which a follower could not begin.
const MESSAGE_LIMIT: usize = 64 << 20;

/// A session whose access tokens are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RevokedSession {
    /// The session.
    pub id: SessionId,
    /// When its last access token expires, and the entry may go.
    pub expires_at: OffsetDateTime,
}

/// The list of revoked sessions, in the order in which they were added. Cheap to clone; clones are
/// one list.
#[derive(Debug, Clone)]
pub struct RevokedSessions {
    list: Arc<RwLock<List>>,
    grown: Arc<watch::Sender<u64>>,
    /// When the list was last known to be complete.
    updated: Arc<watch::Sender<Option<Instant>>>,
}

#[derive(Debug, Default)]
struct List {
    /// The position of the next entry.
    end: u64,
    /// Each entry with its position, in order.
    entries: VecDeque<(u64, RevokedSession)>,
    ids: HashSet<SessionId>,
}

impl Default for RevokedSessions {
    fn default() -> Self {
        Self {
            list: Arc::default(),
            grown: Arc::new(watch::Sender::new(0)),
            updated: Arc::new(watch::Sender::new(None)),
        }
    }
}

impl RevokedSessions {
    /// Adds sessions, and removes those that have expired. An update without sessions
    /// means that the list is complete.
    pub fn update(&self, sessions: impl IntoIterator<Item = RevokedSession>, now: OffsetDateTime) {
        let mut list = self.list.write().unwrap_or_else(PoisonError::into_inner);
        let before = list.end;
        for session in sessions.into_iter().filter(|session| session.expires_at > now) {
            list.add(session);
        }
        list.remove_expired(now);
        let end = list.end;
        drop(list);
        if end > before {
            self.grown.send_replace(end);
        }
        self.updated.send_replace(Some(Instant::now()));
    }

    /// Whether a session is revoked.
    pub fn contains(&self, id: SessionId) -> bool {
        self.read().ids.contains(&id)
    }

    /// Resolves when a session is revoked.
    pub async fn revoked(&self, id: SessionId) {
        let mut grown = self.grown.subscribe();
        while !self.contains(id) {
            if grown.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    /// The whole list, then every addition, as svc-auth streams it. A heartbeat is sent
    /// every second while the list is updated. Without it, followers treat their list as
    /// incomplete.
    pub fn updates(&self) -> impl Stream<Item = WatchRevokedSessionsResponse> + Send + use<> {
        let updated = self.updated.subscribe();
        stream::unfold((self.clone(), updated, None), |(list, mut updated, sent)| async move {
            let (position, at) = sent.unzip();
            loop {
                let complete = *updated.borrow_and_update();
                let (sessions, end) = list.since(position.unwrap_or(0));
                let due = at.is_none_or(|at: Instant| at.elapsed() >= HEARTBEAT);
                let current = complete.is_some_and(|at| at.elapsed() < HEARTBEAT_LIMIT);
                if current && (due || !sessions.is_empty()) {
                    let sessions = sessions.into_iter().map(RevokedSession::into).collect();
                    let message = WatchRevokedSessionsResponse { sessions };
                    return Some((message, (list, updated, Some((end, Instant::now())))));
                }
                updated.changed().await.ok()?;
            }
        })
    }

    /// Returns the entries that were added from a position on, and the position after them.
    fn since(&self, position: u64) -> (Vec<RevokedSession>, u64) {
        let list = self.read();
        let known = list.entries.partition_point(|&(at, _)| at < position);
        (list.entries.range(known..).map(|&(_, session)| session).collect(), list.end)
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, List> {
        self.list.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl From<RevokedSession> for wire::RevokedSession {
    fn from(session: RevokedSession) -> Self {
        Self {
            session_id: session.id.to_string(),
            expires_at: Some(proto::timestamp(session.expires_at)),
        }
    }
}

impl TryFrom<wire::RevokedSession> for RevokedSession {
    type Error = anyhow::Error;

    fn try_from(session: wire::RevokedSession) -> anyhow::Result<Self> {
        let expires_at = proto::from_timestamp(session.expires_at, "expires_at");
        Ok(Self {
            id: SessionId::parse(&session.session_id)?,
            expires_at: expires_at.ok().context("a revoked session without its expiry")?,
        })
    }
}

impl List {
    fn add(&mut self, session: RevokedSession) {
        if self.ids.insert(session.id) {
            self.entries.push_back((self.end, session));
            self.end += 1;
        }
    }

    /// Checks every entry, because they are only nearly sorted by expiry: an entry from a
    /// replica whose clock was wrong must not keep those behind it.
    fn remove_expired(&mut self, now: OffsetDateTime) {
        let Self { entries, ids, .. } = self;
        entries.retain(|(_, session)| session.expires_at > now || !ids.remove(&session.id));
    }
}

/// Keeps a list equal to svc-auth's, until the stop; the result is set when the list is complete
/// for the first time. While svc-auth is out of reach the list stays as it was: an outage ends no
/// session, and a session cannot be ended without svc-auth.
pub(super) fn follow(
    list: RevokedSessions,
    clock: Clock,
    upstream: Upstream,
    shutdown: &Shutdown,
) -> Arc<SetOnce<()>> {
    let client = KeyServiceClient::new(upstream).max_decoding_message_size(MESSAGE_LIMIT);
    let stop = shutdown.clone();
    let synced = Arc::new(SetOnce::new());
    let set = Arc::clone(&synced);
    shutdown.spawn("revoked sessions", async move {
        let mut away = false;
        loop {
            let ended = tokio::select! {
                ended = receive(&list, &clock, client.clone(), &mut away, &set) => ended,
                () = stop.stopping() => return,
            };
            if let Err(error) = ended
                && !away
            {
                away = true;
                warn!(error = format!("{error:#}"), "revoked sessions are not received");
            }
            tokio::select! {
                () = tokio::time::sleep(RETRY) => {}
                () = stop.stopping() => return,
            }
        }
    });
    synced
}

/// Receives updates until the stream ends or a heartbeat is missing.
async fn receive(
    list: &RevokedSessions,
    clock: &Clock,
    mut client: KeyServiceClient<Upstream>,
    away: &mut bool,
    synced: &SetOnce<()>,
) -> anyhow::Result<()> {
    let reply = in_time(client.watch_revoked_sessions(WatchRevokedSessionsRequest {})).await?;
    let mut updates = reply.into_inner();
    while let Some(update) = in_time(updates.message()).await? {
        if std::mem::take(away) {
            info!("revoked sessions are received again");
        }
        let sessions = update.sessions.into_iter().map(RevokedSession::try_from);
        list.update(sessions.collect::<anyhow::Result<Vec<_>>>()?, clock.now());
        // Fails after the first update, which has set `synced`.
        let _ = synced.set(());
    }
    bail!("svc-auth ended the stream")
}

async fn in_time<T>(message: impl Future<Output = Result<T, Status>>) -> anyhow::Result<T> {
    Ok(timeout(HEARTBEAT_LIMIT, message).await.context("no heartbeat from svc-auth")??)
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures_util::{FutureExt as _, StreamExt as _};
    use time::Duration;
    use types::Rng;

    use super::*;

    fn revoked(minutes: i64) -> RevokedSession {
        let id = SessionId::generate(&Clock::system(), &Rng::system());
        RevokedSession { id, expires_at: OffsetDateTime::UNIX_EPOCH + Duration::minutes(minutes) }
    }

    #[test]
    fn a_session_is_listed_once_and_removed_when_it_expires() {
        let list = RevokedSessions::default();
        let (first, second) = (revoked(1), revoked(2));
        list.update([first, first, second], OffsetDateTime::UNIX_EPOCH);
        let (all, position) = list.since(0);
        assert_eq!(all, [first, second]);

        let third = revoked(3);
        list.update([first, third], OffsetDateTime::UNIX_EPOCH);
        assert_eq!(list.since(position).0, [third]);

        list.update([], first.expires_at);
        assert!(!list.contains(first.id) && list.contains(second.id));
        assert_eq!(list.since(position).0, [third], "positions do not shift");
    }

    #[test]
    fn an_entry_with_a_wrong_time_keeps_no_other_entry() {
        let list = RevokedSessions::default();
        let (far, near, third) = (revoked(1_000_000), revoked(1), revoked(2));
        list.update([far, near], OffsetDateTime::UNIX_EPOCH);
        let (_, position) = list.since(0);
        list.update([third], near.expires_at);
        assert!(!list.contains(near.id) && list.contains(far.id));
        assert_eq!(list.since(0).0, [far, third]);
        assert_eq!(list.since(position).0, [third]);
    }

    #[tokio::test]
    async fn heartbeats_are_sent_only_while_the_list_is_updated() {
        let list = RevokedSessions::default();
        let mut updates = pin!(list.updates());
        assert_eq!(updates.next().now_or_never(), None, "never updated");
        list.update([], OffsetDateTime::UNIX_EPOCH);
        let empty = WatchRevokedSessionsResponse::default();
        assert_eq!(updates.next().await, Some(empty.clone()), "at once");
        assert_eq!(updates.next().now_or_never(), None, "not updated since");

        let session = revoked(1);
        list.update([session], OffsetDateTime::UNIX_EPOCH);
        assert_eq!(updates.next().await.map(|next| next.sessions), Some(vec![session.into()]));
        let updating = async {
            loop {
                list.update([], OffsetDateTime::UNIX_EPOCH);
                tokio::time::sleep(HEARTBEAT / 10).await;
            }
        };
        let next = tokio::select! {
            next = updates.next() => next,
            () = updating => None,
        };
        assert_eq!(next, Some(empty), "a heartbeat without sessions");
    }

    #[tokio::test]
    async fn waiting_for_a_revocation_ends_with_it() {
        let list = RevokedSessions::default();
        let session = revoked(1);
        let (waiting, ()) =
            (list.revoked(session.id), list.update([session], OffsetDateTime::UNIX_EPOCH));
        waiting.await;
    }
}
