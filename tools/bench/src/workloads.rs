//! The requests of the scenarios that put load on the gateway.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use http::{HeaderValue, StatusCode, header::AUTHORIZATION};

use crate::{
    client::{HttpRequest, Reply, get},
    dataset::players::{Dataset, player_id},
    load::{Iteration, Workload},
    players::Players,
    random::{SplitMix64, Zipf},
};

/// The first page of a history.
pub(crate) const HISTORY: &str = "/api/wallets/list?page=0&pageSize=20";

/// Signed-in players read `path`; each connection is another player.
pub(crate) struct Read {
    pub(crate) players: Arc<Players>,
    pub(crate) path: &'static str,
}

impl Workload for Read {
    fn request(&self, iteration: Iteration) -> Result<HttpRequest> {
        Ok(self.players.get(iteration.worker)?.authorize(get(self.path)?))
    }
}

/// Players read the first page of their wallet's history; each request is another one of
/// the signed-in players of the large data set.
pub(crate) struct History {
    /// The `Authorization` headers of the players.
    pub(crate) bearers: Vec<HeaderValue>,
}

impl Workload for History {
    fn request(&self, iteration: Iteration) -> Result<HttpRequest> {
        let count = u64::try_from(self.bearers.len())?;
        let place = usize::try_from(random(iteration).below(count))?;
        let bearer = self.bearers.get(place).context("no player of the data set is signed in")?;
        let mut request = get(HISTORY)?;
        request.headers_mut().insert(AUTHORIZATION, bearer.clone());
        Ok(request)
    }
}

/// Pairs of players boost each other from their wallets.
pub(crate) struct PairTransfer {
    pub(crate) players: Arc<Players>,
    /// The beginning of the keys: a key that was used before transfers nothing.
    pub(crate) keys: &'static str,
}

impl Workload for PairTransfer {
    /// A pair pays back and forth, so that no wallet becomes empty. Connections that
    /// share a pair begin with different payers.
    fn request(&self, Iteration { worker, round, .. }: Iteration) -> Result<HttpRequest> {
        let pairs = self.players.pairs().max(1);
        let (pair, shift) = (worker % pairs, worker / pairs);
        let end = (round + shift) % 2;
        let from = self.players.get(2 * pair + end)?;
        let to = self.players.get(2 * pair + 1 - end)?;
        self.players.transfer(from, &to.uid, &format!("{}-{worker}-{round}", self.keys))
    }

    fn is_success(&self, reply: &Reply) -> bool {
        is_completed(reply)
    }
}

/// Signed-up players boost players of the large data set, of whom a few are paid often. Each
/// connection has a payer of its own as long as there are as many players as connections.
pub(crate) struct LargeTransfer {
    pub(crate) players: Arc<Players>,
    pub(crate) dataset: Dataset,
    /// How often a player is paid, by the rank in popularity.
    pub(crate) popularity: Zipf,
}

impl Workload for LargeTransfer {
    fn request(&self, iteration: Iteration) -> Result<HttpRequest> {
        let Iteration { worker, round, .. } = iteration;
        let rank = self.popularity.rank(&mut random(iteration));
        let payee = player_id(self.dataset.by_popularity(rank)).to_string();
        let key = format!("zipf-{worker}-{round}");
        self.players.transfer(self.players.get(worker)?, &payee, &key)
    }

    fn is_success(&self, reply: &Reply) -> bool {
        is_completed(reply)
    }
}

/// A transfer succeeded only when its payment is completed.
pub(crate) fn is_completed(reply: &Reply) -> bool {
    const COMPLETED: &[u8] = b"\"COMPLETED\"";
    let mut parts = reply.body.windows(COMPLETED.len());
    reply.status == StatusCode::OK && parts.any(|part| part == COMPLETED)
}

/// A generator of its own for each iteration, so that connections share no state.
pub(crate) fn random(Iteration { worker, round, .. }: Iteration) -> SplitMix64 {
    let number = (u64::try_from(worker).unwrap_or_default() << 32)
        | u64::try_from(round).unwrap_or_default();
    SplitMix64::new(number)
}
