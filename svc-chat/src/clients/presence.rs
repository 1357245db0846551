//! Presence of players in rooms: a sorted set in Redis for each room, whose score is the time at
//! which a replica last named the player. The sets may be lost, because replicas name their players
//! again at each interval.

use std::time::Duration;

use mesh::args::SecretUrl;
use redis::{
    FromRedisValue, Pipeline,
    aio::{ConnectionManager, ConnectionManagerConfig},
};
use tracing::debug;
use types::{Clock, PlayerId};

use crate::domain::RoomId;

/// Longest that Redis may take to reply.
const LIMIT: Duration = Duration::from_millis(300);
/// The number of intervals after which a player who was not named again is offline.
const INTERVALS: u32 = 3;

/// How long a player is online after being named.
pub(crate) fn lifetime(interval: Duration) -> Duration {
    interval * INTERVALS
}

/// Presence in Redis. Cheap to clone. Nothing fails here: without Redis there is no reply.
#[derive(Clone)]
pub(crate) struct Presence {
    redis: ConnectionManager,
    clock: Clock,
    interval: Duration,
}

impl Presence {
    /// Builds the client, which connects when it is first used.
    pub(crate) fn new(url: &SecretUrl, clock: Clock, interval: Duration) -> anyhow::Result<Self> {
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(Duration::from_secs(1)))
            .set_number_of_retries(1);
        let redis = mesh::cache::open(url)?.get_connection_manager_lazy(config)?;
        Ok(Self { redis, clock, interval })
    }

    /// How often the players at this replica are named again.
    pub(crate) const fn interval(&self) -> Duration {
        self.interval
    }

    /// Names players as online in a room.
    pub(crate) async fn name(&self, room: RoomId, players: &[PlayerId]) {
        if players.is_empty() {
            return;
        }
        let (key, now) = (key(room), self.now());
        let named: Vec<_> = players.iter().map(|player| (now, player.to_string())).collect();
        let mut pipe = redis::pipe();
        pipe.zadd_multiple(&key, &named).ignore();
        pipe.zrembyscore(&key, "-inf", self.expired()).ignore();
        pipe.expire(&key, self.lifetime().as_secs().cast_signed() + 1).ignore();
        self.run::<()>(pipe).await;
    }

    /// Names a player as online in rooms, and returns how many are online in each.
    pub(crate) async fn arrive(&self, player: PlayerId, rooms: &[RoomId]) -> Option<Vec<u32>> {
        let mut pipe = redis::pipe();
        for room in rooms {
            pipe.zadd(key(*room), player.to_string(), self.now()).ignore();
            self.count(&mut pipe, *room);
        }
        self.run(pipe).await
    }

    /// Removes players from those online in a room. Other replicas that have streams of these
    /// players name them again.
    pub(crate) async fn leave(&self, room: RoomId, players: &[PlayerId]) {
        if players.is_empty() {
            return;
        }
        let players: Vec<_> = players.iter().map(ToString::to_string).collect();
        let mut pipe = redis::pipe();
        pipe.zrem(key(room), players).ignore();
        self.run::<()>(pipe).await;
    }

    /// How many are online in each room.
    pub(crate) async fn online(&self, rooms: &[RoomId]) -> Option<Vec<u32>> {
        if rooms.is_empty() {
            return Some(Vec::new());
        }
        let mut pipe = redis::pipe();
        for room in rooms {
            self.count(&mut pipe, *room);
        }
        self.run(pipe).await
    }

    fn count(&self, pipe: &mut Pipeline, room: RoomId) {
        pipe.zcount(key(room), format!("({}", self.expired()), "+inf");
    }

    /// The score of a player who is named now, in milliseconds since 1970.
    fn now(&self) -> i64 {
        let millis = self.clock.now().unix_timestamp_nanos() / 1_000_000;
        i64::try_from(millis).unwrap_or(i64::MAX)
    }

    /// The score at which a player is offline.
    fn expired(&self) -> i64 {
        self.now().saturating_sub(i64::try_from(self.lifetime().as_millis()).unwrap_or(i64::MAX))
    }

    fn lifetime(&self) -> Duration {
        lifetime(self.interval)
    }

    async fn run<T: FromRedisValue>(&self, pipe: Pipeline) -> Option<T> {
        let mut redis = self.redis.clone();
        match tokio::time::timeout(LIMIT, pipe.query_async(&mut redis)).await {
            Ok(Ok(reply)) => Some(reply),
            Ok(Err(error)) => {
                debug!(%error, "Redis did not take the presence");
                None
            }
            Err(_) => None,
        }
    }
}

fn key(room: RoomId) -> String {
    format!("chat.online.{room}")
}
