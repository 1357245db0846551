//! The public names and pictures of players, for lists that other services have by id.

use std::{collections::HashMap, sync::Arc};

use mesh::{Aged, Fault};
use proto::auth::v1::{BatchGetPublicPlayersRequest, PublicPlayer};
use time::Duration;
use tracing::warn;
use types::Clock;

use crate::upstreams::Upstreams;

/// How long a name is reused: a new one is seen on boards within this time.
const MAX_AGE: Duration = Duration::seconds(30);
/// Most players that are cached: some tens of megabytes.
const PLAYERS: usize = 100_000;

/// What svc-auth said of a player: `None` for an account that is gone.
type Answer = Option<Arc<PublicPlayer>>;

/// Public players by id, each kept for [`MAX_AGE`]. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct PublicPlayers {
    known: Aged<String, Answer>,
}

/// The players of one list.
#[derive(Debug)]
pub(crate) struct FoundPlayers(HashMap<String, Answer>);

impl FoundPlayers {
    /// The player with this id, unless the account is gone or names cannot be read.
    pub(crate) fn get(&self, id: &str) -> Option<&PublicPlayer> {
        self.0.get(id)?.as_deref()
    }

    /// Whether the account with this id is gone.
    pub(crate) fn is_gone(&self, id: &str) -> bool {
        self.0.get(id).is_some_and(Option::is_none)
    }
}

impl PublicPlayers {
    pub(crate) fn new(clock: Clock) -> Self {
        Self { known: Aged::new(PLAYERS, MAX_AGE, clock) }
    }

    /// The players with these ids, at most 100, by one call for the players that are not cached.
    /// While svc-auth is out of reach, a list is shown without their names.
    pub(crate) async fn find(&self, upstreams: &Upstreams, ids: &[String]) -> FoundPlayers {
        let mut found = HashMap::with_capacity(ids.len());
        let mut missing = Vec::new();
        for id in ids {
            match self.known.get(id) {
                Some(answer) => _ = found.insert(id.clone(), answer),
                None => missing.push(id.clone()),
            }
        }
        if missing.is_empty() {
            return FoundPlayers(found);
        }
        let request = BatchGetPublicPlayersRequest { ids: missing.clone() };
        let players = match upstreams.directory().batch_get_public_players(request).await {
            Ok(reply) => reply.into_inner().players,
            Err(status) => {
                let error = Fault::from_status(&status).reason;
                warn!(%error, "a list is shown without the players' names");
                return FoundPlayers(found);
            }
        };
        let players = players.into_iter().map(|player| (player.id.clone(), Arc::new(player)));
        let mut players: HashMap<_, _> = players.collect();
        for id in missing {
            let answer = players.remove(&id);
            self.known.insert(id.clone(), answer.clone());
            found.insert(id, answer);
        }
        FoundPlayers(found)
    }
}
