//! Players look at the boards of tournaments.

use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use http::{HeaderValue, Method, header::AUTHORIZATION};
use serde_json::json;
use tokio::time::Instant;

use super::{content::Tournament, standings::Standings};
use crate::{
    address::Target,
    client::{self, Connection, HttpRequest, Reply, error_kind},
    load::{Iteration, Workload},
    random::SplitMix64,
    workloads::random,
};

/// The longest that a board may take until it is in memory.
const LOADING: Duration = Duration::from_mins(2);
/// Standings of a page.
const PAGE: u32 = 15;

/// Which part of a board is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    FirstPage,
    /// The first place alone, with the reader's own place.
    OwnRank,
}

/// Signed-in players who are on the board read it.
pub(crate) struct ReadBoard {
    pub(crate) tournament: Tournament,
    pub(crate) standings: Standings,
    pub(crate) part: Part,
    /// The `Authorization` headers of the players.
    pub(crate) bearers: Vec<HeaderValue>,
}

impl ReadBoard {
    fn read(&self, random: &mut SplitMix64) -> Result<HttpRequest> {
        let path = format!("/api/tournament-leaderboards/{}", self.tournament.id);
        let size = if self.part == Part::OwnRank { 1 } else { PAGE };
        let body = json!({"page": 0, "pageSize": size});
        let mut request = client::json(Method::POST, &path, &body)?;
        let place = random.below(u64::try_from(self.bearers.len())?);
        let bearer = self.bearers.get(usize::try_from(place)?);
        let bearer = bearer.context("no player of the data set is signed in")?;
        request.headers_mut().insert(AUTHORIZATION, bearer.clone());
        Ok(request)
    }

    /// Reads the board until svc-tournament has it in memory; returns how long that took.
    pub(crate) async fn wait_until_loaded(&self, target: Target) -> Result<Duration> {
        let begun = Instant::now();
        let mut connection = Connection::new(target);
        loop {
            let reply = connection.call(self.read(&mut SplitMix64::new(0))?).await;
            let failed = match reply {
                Ok(reply) if self.is_success(&reply) => return Ok(begun.elapsed()),
                Ok(reply) => error_kind(&reply),
                Err(error) => format!("{error:#}"),
            };
            if begun.elapsed() > LOADING {
                bail!("the board of {} standings: {failed}", self.standings.players);
            }
        }
    }
}

impl Workload for ReadBoard {
    fn request(&self, iteration: Iteration) -> Result<HttpRequest> {
        self.read(&mut random(iteration))
    }

    /// Whether a reply has the reader's own place.
    fn is_success(&self, reply: &Reply) -> bool {
        const OWN: &[u8] = br#""me":{"#;
        reply.status.is_success() && reply.body.windows(OWN.len()).any(|part| part == OWN)
    }
}
