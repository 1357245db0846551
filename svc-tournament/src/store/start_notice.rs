//! Table `tournament`: up to which player a game's players were notified of a tournament's start.

use mesh::db::statement;
use sqlx::{PgConnection, types::Uuid};
use time::OffsetDateTime;

use crate::domain::{GameId, TournamentId};

/// A tournament that has begun, whose game's players were not all notified yet.
pub(crate) struct Beginning {
    pub(crate) id: TournamentId,
    pub(crate) name: String,
    pub(crate) created_xid: i64,
    pub(crate) game: GameId,
    pub(crate) starts: OffsetDateTime,
    pub(crate) ends: OffsetDateTime,
    /// The last notified player, in the order of ids.
    pub(crate) notified_player: Option<Uuid>,
}

/// The tournament that waits longest for notifications. Its row is not locked, because svc-games is
/// called before [`advance`]. The query has no span, because it runs each second.
pub(crate) async fn find(
    conn: &mut PgConnection,
    now: OffsetDateTime,
) -> sqlx::Result<Option<Beginning>> {
    sqlx::query_as!(
        Beginning,
        "SELECT id, name, created_xid, game_id AS game, starts, ends,
                  start_notified_player AS notified_player
         FROM tournament WHERE NOT start_notified AND starts <= $1
         ORDER BY starts, id LIMIT 1",
        now
    )
    .fetch_optional(conn)
    .await
}

/// Moves the cursor of a tournament; false when it was moved or the tournament removed since
/// it was read.
#[statement]
pub(crate) async fn advance(
    conn: &mut PgConnection,
    tournament: &Beginning,
    player: Option<Uuid>,
    is_last: bool,
) -> sqlx::Result<bool> {
    let moved = sqlx::query!(
        "UPDATE tournament SET start_notified_player = $3, start_notified = $4
         WHERE id = $1 AND created_xid = $5 AND NOT start_notified
           AND start_notified_player IS NOT DISTINCT FROM $2",
        tournament.id.uuid(),
        tournament.notified_player,
        player,
        is_last,
        tournament.created_xid
    )
    .execute(conn)
    .await?;
    Ok(moved.rows_affected() == 1)
}
