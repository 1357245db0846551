//! The records about a player, for the player's copy of all data.

use mesh::{db::statement, grpc::player_data::PlayerRecord};
use sqlx::PgConnection;
use types::PlayerId;

/// Reads what this service stores about a player: of each section the newest 20,000 records.
/// Hashes, codes and links are left out, because they are secrets.
#[statement]
pub(crate) async fn list(
    conn: &mut PgConnection,
    player: PlayerId,
) -> sqlx::Result<Vec<PlayerRecord>> {
    sqlx::query_file_as!(PlayerRecord, "src/store/player_data.sql", player.uuid())
        .fetch_all(conn)
        .await
}
