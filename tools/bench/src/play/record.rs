//! Scores that svc-games reports to svc-tournament, and their yardstick: a single upsert of
//! such a row.

use anyhow::{Context as _, Result};
use mesh::grpc::client::Outgoing;
use proto::tournament::v1::{
    RecordScoreRequest, ScoreTrust, score_service_client::ScoreServiceClient,
};
use sqlx::{Connection as _, PgConnection, postgres::PgConnectOptions};
use time::OffsetDateTime;
use types::Clock;
use uuid::Uuid;

use super::{
    content::timestamp,
    standings::{Standings, settle},
};
use crate::{
    load::{Caller, Iteration, Outcome},
    workloads::random,
};

/// The smallest table that holds the best score of each player.
const SCHEMA: &str = include_str!("standing.sql");
/// The yardstick's only tournament.
const TOURNAMENT: Uuid = Uuid::from_u128(1);
/// The upsert, as one statement and one transaction.
const UPSERT: &str = "INSERT INTO yardstick.standing AS s
         (tournament_id, player_id, points, trust, reached_at)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (tournament_id, player_id) DO UPDATE
     SET points = excluded.points, trust = excluded.trust, reached_at = excluded.reached_at
     WHERE (excluded.points, s.reached_at) > (s.points, excluded.reached_at)
     RETURNING points";

/// A better score of a random player of the board.
struct Score {
    player: Uuid,
    points: i32,
    reached_at: OffsetDateTime,
}

impl Score {
    fn new(standings: Standings, iteration: Iteration) -> Result<Self> {
        let number = random(iteration).below(standings.players.into());
        let number = u32::try_from(number)?;
        let better = i32::try_from(iteration.number)?.saturating_add(1);
        let points = Standings::points(number).saturating_add(better);
        Ok(Self { player: standings.player(number), points, reached_at: Clock::system().now() })
    }
}

/// Reports scores to svc-tournament.
pub(crate) struct RecordScores {
    pub(crate) scores: ScoreServiceClient<Outgoing>,
    pub(crate) tournament: String,
    pub(crate) standings: Standings,
}

impl Caller for RecordScores {
    async fn call(&mut self, iteration: Iteration) -> Result<Outcome> {
        let score = Score::new(self.standings, iteration)?;
        let request = RecordScoreRequest {
            tournament_id: self.tournament.clone(),
            player_id: score.player.to_string(),
            points: score.points,
            trust: ScoreTrust::Proven.into(),
            reached_at: Some(timestamp(score.reached_at)),
            began_at: Some(timestamp(score.reached_at)),
            released_at: None,
        };
        Ok(match self.scores.record_score(request).await {
            Ok(reply) if reply.get_ref().rank.is_none() => Err("no rank".to_owned()),
            Ok(_) => Ok(()),
            Err(status) => Err(format!("{}: {}", status.code(), status.message())),
        })
    }
}

/// Upserts scores over a connection of its own.
pub(crate) struct UpsertScores {
    pub(crate) options: PgConnectOptions,
    pub(crate) standings: Standings,
    conn: Option<PgConnection>,
}

impl UpsertScores {
    pub(crate) const fn new(options: PgConnectOptions, standings: Standings) -> Self {
        Self { options, standings, conn: None }
    }

    /// Makes the yardstick's table, with as many rows as the large board has.
    pub(crate) async fn prepare(options: &PgConnectOptions, standings: Standings) -> Result<()> {
        let conn = PgConnection::connect_with(options).await;
        let mut conn = conn.context("cannot connect to the yardstick's database")?;
        sqlx::raw_sql(SCHEMA).execute(&mut conn).await?;
        standings.copy(&mut conn, "yardstick.standing", TOURNAMENT).await?;
        settle(&mut conn, "yardstick.standing").await
    }

    async fn connection(&mut self) -> Result<&mut PgConnection> {
        let conn = match self.conn.take() {
            Some(conn) => conn,
            None => PgConnection::connect_with(&self.options).await?,
        };
        Ok(self.conn.insert(conn))
    }
}

impl Caller for UpsertScores {
    async fn call(&mut self, iteration: Iteration) -> Result<Outcome> {
        let score = Score::new(self.standings, iteration)?;
        let conn = self.connection().await?;
        let upsert = sqlx::query_scalar::<_, i32>(UPSERT)
            .bind(TOURNAMENT)
            .bind(score.player)
            .bind(score.points)
            .bind("Proven")
            .bind(score.reached_at);
        Ok(upsert.fetch_optional(conn).await.map(drop).map_err(|error| error.to_string()))
    }
}
