//! svc-games: the games of tournaments, and the runs that are not finished.

use mesh::{Fault, grpc::client::Upstream};
use proto::games::v1::{
    GetGameRequest, GetOpenRunsRequest, games_service_client::GamesServiceClient,
    run_service_client::RunServiceClient,
};
use tonic::Code;

use crate::{
    domain::{GameId, TournamentId},
    error::Error,
};

/// A client of svc-games.
#[derive(Clone)]
pub(crate) struct Games {
    games: GamesServiceClient<Upstream>,
    runs: RunServiceClient<Upstream>,
}

/// Which runs of a tournament may still change its board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OpenRuns {
    /// Submitted, and maybe not recorded here yet.
    pub(crate) unfinished: u32,
    /// Wait for an operator.
    pub(crate) held: u32,
}

impl Games {
    /// A client on a channel to svc-games.
    pub(crate) fn new(upstream: Upstream) -> Self {
        Self {
            games: GamesServiceClient::new(upstream.clone()),
            runs: RunServiceClient::new(upstream),
        }
    }

    /// How many levels a game has; `None` without such a game.
    pub(crate) async fn levels(&self, id: GameId) -> Result<Option<u32>, Error> {
        let request = GetGameRequest { id: id.to_string() };
        match self.games.clone().get_game(request).await {
            Ok(reply) => Ok(reply.into_inner().game.map(|game| game.levels)),
            Err(status) if status.code() == Code::NotFound => Ok(None),
            Err(status) => Err(Fault::from_status(&status).into()),
        }
    }

    /// The runs of a tournament that are not finished.
    pub(crate) async fn open_runs(&self, tournament: TournamentId) -> Result<OpenRuns, Error> {
        let request = GetOpenRunsRequest { tournament_id: tournament.to_string() };
        let reply = self.runs.clone().get_open_runs(request).await;
        let open = reply.map_err(|status| Fault::from_status(&status))?.into_inner();
        Ok(OpenRuns { unfinished: open.unfinished, held: open.held })
    }
}
