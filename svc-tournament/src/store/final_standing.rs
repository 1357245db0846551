//! Table `final_standing`: the boards of settled tournaments.

use mesh::db::statement;
use sqlx::PgConnection;
use types::{Page, PlayerId};

use crate::domain::{Standing, TournamentId};

struct Row {
    rank: i64,
    player_id: sqlx::types::Uuid,
    points: i32,
}

impl From<Row> for Standing {
    fn from(row: Row) -> Self {
        Self { player: row.player_id.into(), rank: row.rank.unsigned_abs(), points: row.points }
    }
}

/// The whole board, by rank.
#[statement]
pub(crate) async fn all(conn: &mut PgConnection, id: TournamentId) -> sqlx::Result<Vec<Standing>> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT rank, player_id, points FROM final_standing
         WHERE tournament_id = $1 ORDER BY rank",
        id.uuid()
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// A page of the board: a range of ranks.
#[statement]
pub(crate) async fn page(
    conn: &mut PgConnection,
    id: TournamentId,
    page: Page,
) -> sqlx::Result<Vec<Standing>> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT rank, player_id, points FROM final_standing
         WHERE tournament_id = $1 AND rank > $2 AND rank <= $2 + $3 ORDER BY rank",
        id.uuid(),
        page.offset(),
        page.limit()
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// A player's place.
#[statement]
pub(crate) async fn find(
    conn: &mut PgConnection,
    id: TournamentId,
    player: PlayerId,
) -> sqlx::Result<Option<Standing>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT rank, player_id, points FROM final_standing
         WHERE tournament_id = $1 AND player_id = $2",
        id.uuid(),
        player.uuid()
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(Into::into))
}

/// The place that a late score would have, and the player's points on the board.
pub(crate) struct LatePlace {
    pub(crate) rank: u64,
    pub(crate) best: Option<i32>,
}

/// The place of a late score: behind all other players with as many points who were not refused.
#[statement]
pub(crate) async fn place_of(
    conn: &mut PgConnection,
    id: TournamentId,
    player: PlayerId,
    points: i32,
) -> sqlx::Result<LatePlace> {
    let row = sqlx::query!(
        r#"SELECT count(*) FILTER (WHERE points >= $3 AND player_id <> $2 AND NOT EXISTS (
                 SELECT FROM award_given given JOIN tournament ON tournament.id = $1
                 WHERE given.tournament_id = $1 AND given.player_id = final_standing.player_id
                     AND given.state = 'REFUSED'
                     AND given.created_xid = tournament.created_xid)) AS "better!",
             max(points) FILTER (WHERE player_id = $2) AS best
         FROM final_standing WHERE tournament_id = $1"#,
        id.uuid(),
        player.uuid(),
        points
    )
    .fetch_one(conn)
    .await?;
    Ok(LatePlace { rank: row.better.unsigned_abs() + 1, best: row.best })
}
