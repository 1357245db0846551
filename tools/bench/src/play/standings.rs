//! The standings of the large boards, written straight into svc-tournament's database.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, postgres::PgConnectOptions};
use uuid::Uuid;

use crate::{
    dataset::{
        copy::CopyIn,
        players::{Dataset, player_id},
    },
    random::SplitMix64,
};

/// All points are below this number, so that ties occur.
const POINTS: u64 = 1_000_000;
/// The seed of all points.
const SEED: u64 = 9;

/// The sizes of boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Size {
    /// A hundredth of the players of the large data set.
    Small,
    /// All players of the large data set.
    Large,
}

/// The players of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Standings {
    pub(crate) players: u32,
    /// The distance between two players of the board in the data set.
    step: u32,
}

impl Size {
    /// The operators' key of the board's tournament.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Small => "bench-board-small",
            Self::Large => "bench-board-large",
        }
    }

    pub(crate) const fn standings(self, dataset: Dataset) -> Standings {
        match self {
            Self::Small => Standings { players: dataset.wallets.div_ceil(100), step: 100 },
            Self::Large => Standings { players: dataset.wallets, step: 1 },
        }
    }
}

impl Standings {
    /// A player of the board.
    pub(crate) fn player(self, number: u32) -> Uuid {
        player_id(number * self.step)
    }

    /// The points of the player with this number.
    pub(crate) fn points(number: u32) -> i32 {
        let points = SplitMix64::new(SEED << 32 | u64::from(number)).below(POINTS);
        i32::try_from(points).unwrap_or_default()
    }

    /// Copies the standings into the tournament's board, unless they are there; returns how long
    /// that took.
    pub(crate) async fn load(
        self,
        options: &PgConnectOptions,
        tournament: &str,
    ) -> Result<Option<Duration>> {
        let tournament: Uuid = tournament.parse()?;
        let mut conn = PgConnection::connect_with(options).await;
        let conn = conn.as_mut().map_err(|error| anyhow::anyhow!("{error}"));
        let conn = conn.context("cannot connect as superuser to load the standings")?;
        let count = "SELECT count(*) FROM standing WHERE tournament_id = $1";
        let count: i64 = sqlx::query_scalar(count).bind(tournament).fetch_one(&mut *conn).await?;
        if count == i64::from(self.players) {
            return Ok(None);
        }
        ensure!(count == 0, "the board has {count} standings, not {}", self.players);
        let begun = Instant::now();
        let mut tx = conn.begin().await?;
        self.copy(&mut tx, "standing", tournament).await?;
        // Makes svc-tournament read the boards in its memory anew, because these rows come without
        // the changes that it would notice.
        let mark = "UPDATE standing_sweep SET swept_xid = pg_current_xact_id()::text::bigint + 1";
        sqlx::query(mark).execute(&mut *tx).await?;
        tx.commit().await?;
        settle(conn, "standing").await?;
        Ok(Some(begun.elapsed()))
    }

    /// Copies the standings into a table with the columns of a standing.
    pub(crate) async fn copy(
        self,
        conn: &mut PgConnection,
        table: &'static str,
        tournament: Uuid,
    ) -> Result<()> {
        const COLUMNS: &str = "tournament_id, player_id, points, trust, reached_at";
        let begun = types::Clock::system().now() - time::Duration::hours(12);
        let begun = u64::try_from(begun.unix_timestamp())? * 1_000;
        let mut copy = CopyIn::begin(conn, table, COLUMNS).await?;
        for number in 0..self.players {
            let row = copy.rows().row(5).uuid(tournament).uuid(self.player(number));
            row.integer(Self::points(number)).text("Proven").timestamptz(begun + u64::from(number));
            copy.flush().await?;
        }
        copy.finish().await?;
        Ok(())
    }
}

/// Does now what autovacuum and the checkpointer would otherwise do while a scenario runs.
pub(crate) async fn settle(conn: &mut PgConnection, table: &'static str) -> Result<()> {
    let vacuum = format!("VACUUM (ANALYZE) {table}");
    sqlx::query(AssertSqlSafe(vacuum)).execute(&mut *conn).await?;
    sqlx::query("CHECKPOINT").execute(conn).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_small_board_has_players_of_the_data_set() {
        let dataset = Dataset { wallets: 1_000, postings: 10_000 };
        let small = Size::Small.standings(dataset);
        assert_eq!((small.players, small.player(9)), (10, player_id(900)));
        assert_eq!(Size::Large.standings(dataset).player(999), player_id(999));
        assert!((0..10).all(|number| u64::from(Standings::points(number).unsigned_abs()) < POINTS));
    }
}
