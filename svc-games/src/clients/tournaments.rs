//! svc-tournament, which has the tournaments and their boards.

use std::time::Duration;

use anyhow::Context as _;
use mesh::{Fault, call::Call, grpc::client::Upstream};
use proto::{
    from_timestamp, timestamp,
    tournament::v1::{
        GetCashAtStakeRequest, GetPodiumRequest, GetRoundRequest, RecordScoreRequest, ScoreTrust,
        score_service_client::ScoreServiceClient,
    },
};
use tokio::time::Instant;
use types::PlayerId;

use crate::{
    domain::{
        BoardPlace, GameId, OpenRound, PieceKey, Proof, RulesHash, ScoreKey, TournamentId,
        TournamentRound, TournamentScore, Trust,
    },
    error::{Error, Refused},
};

/// A client of svc-tournament's RPCs for this service.
#[derive(Clone)]
pub(crate) struct Tournaments {
    client: ScoreServiceClient<Upstream>,
}

/// Whether svc-tournament accepted a score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Recorded {
    Yes(BoardPlace),
    /// svc-tournament refused the score for good, with this REASON.
    Refused(String),
}

impl Tournaments {
    /// A client on a channel to svc-tournament.
    pub(crate) fn new(upstream: Upstream) -> Self {
        Self { client: ScoreServiceClient::new(upstream) }
    }

    /// Returns the tournament's open round.
    pub(crate) async fn open_round(&self, tournament: TournamentId) -> Result<OpenRound, Error> {
        let request = GetRoundRequest { tournament_id: tournament.to_string() };
        let reply = self.client.clone().get_round(request).await;
        let reply = reply.map_err(|status| refusal(Fault::from_status(&status)))?.into_inner();
        let ends_at = from_timestamp(reply.ends, "ends").ok().context("a round without an end")?;
        let round = i32::try_from(reply.round).context("a round beyond the limits")?;
        Ok(OpenRound {
            game: GameId::parse(&reply.game_id).map_err(anyhow::Error::from)?,
            level: i32::try_from(reply.level).context("a level beyond the limits")?,
            seed: reply.seed,
            piece_key: reply.piece_key.as_slice().try_into().ok().map(PieceKey),
            runs_per_round: reply.runs_per_round,
            proof: proof(&reply.rules_sha256, &reply.score_key)?,
            round: TournamentRound { tournament, round, ends_at },
        })
    }

    /// Records a score on its board, within `limit` and the deadline of the current call. After an
    /// error the caller may retry.
    pub(crate) async fn record(
        &self,
        score: &TournamentScore,
        limit: Duration,
    ) -> anyhow::Result<Recorded> {
        let request = RecordScoreRequest {
            tournament_id: score.tournament.to_string(),
            player_id: score.player.to_string(),
            points: score.points,
            trust: trust(score.trust).into(),
            reached_at: Some(timestamp(score.reached_at)),
            began_at: Some(timestamp(score.began_at)),
            released_at: score.released_at.map(timestamp),
        };
        let call = Call::current();
        let deadline = call.deadline.min(Instant::now() + limit);
        let mut client = self.client.clone();
        let reply = Call { deadline, ..call }.run(client.record_score(request)).await;
        match reply {
            Ok(reply) => {
                let reply = reply.into_inner();
                Ok(Recorded::Yes(BoardPlace { best: reply.best, rank: reply.rank }))
            }
            Err(status) => {
                let fault = Fault::from_status(&status);
                match &*fault.reason {
                    "TOURNAMENT_NOT_FOUND" | "TOURNAMENT_CLOSED" | "INVALID_ARGUMENT" => {
                        Ok(Recorded::Refused(fault.reason.into_owned()))
                    }
                    _ => Err(status.into()),
                }
            }
        }
    }

    /// Whether two operators release a run of a game, because much cash depends on it.
    pub(crate) async fn needs_second_operator(&self, game: GameId) -> Result<bool, Error> {
        let request = GetCashAtStakeRequest { game_id: game.to_string() };
        let reply = self.client.clone().get_cash_at_stake(request).await;
        let reply = reply.map_err(|status| Fault::from_status(&status))?.into_inner();
        Ok(reply.needs_second_operator)
    }

    /// Returns the first three players of the final board; none until the tournament is settled.
    pub(crate) async fn podium(&self, tournament: TournamentId) -> Result<Vec<PlayerId>, Error> {
        let request = GetPodiumRequest { tournament_id: tournament.to_string() };
        let reply = self.client.clone().get_podium(request).await;
        let reply = reply.map_err(|status| refusal(Fault::from_status(&status)))?.into_inner();
        if !reply.settled {
            return Ok(Vec::new());
        }
        let players = reply.player_ids.iter().map(|id| PlayerId::parse(id));
        Ok(players.collect::<Result<_, _>>().map_err(anyhow::Error::from)?)
    }
}

/// Decodes how the scores of a tournament are proven.
fn proof(rules: &[u8], key: &[u8]) -> anyhow::Result<Option<Proof>> {
    let bytes = |bytes: &[u8]| {
        (!bytes.is_empty())
            .then(|| bytes.try_into().context("a hash or a key of other than 32 bytes"))
    };
    let (rules, key) = (bytes(rules).transpose()?, bytes(key).transpose()?);
    let proof = Proof::new(rules.map(RulesHash), key.map(ScoreKey));
    Ok((proof != Proof::Claim).then_some(proof))
}

/// Maps the upstream's refusals that our contract names to [`Refused`], and passes on all others.
fn refusal(fault: Fault) -> Error {
    match &*fault.reason {
        "TOURNAMENT_NOT_FOUND" => Refused::TournamentNotFound.into(),
        "TOURNAMENT_NOT_ON" => Refused::TournamentNotOn.into(),
        _ => fault.into(),
    }
}

fn trust(trust: Trust) -> ScoreTrust {
    match trust {
        Trust::Proven => ScoreTrust::Proven,
        Trust::Signed => ScoreTrust::Signed,
        Trust::Claimed => ScoreTrust::Claimed,
        // A held run is never sent.
        Trust::Held => ScoreTrust::Unspecified,
    }
}
