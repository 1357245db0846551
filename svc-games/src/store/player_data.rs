//! The records about a player, for the player's copy of all data.

use mesh::{
    db::statement,
    grpc::player_data::{PlayerRecord, Records, send_rows},
};
use sqlx::PgConnection;
use types::PlayerId;

/// Sends what this service stores about a player: of each section the newest 20,000 records, until
/// the receiver is gone.
/// Inputs of runs are left out, because only a game can show them. The reason of a held run is left
/// out, because it would show which inputs the proof of a run holds.
#[statement]
pub(crate) async fn list(
    conn: &mut PgConnection,
    player: PlayerId,
    records: &Records,
) -> sqlx::Result<()> {
    let query = sqlx::query_file_as!(PlayerRecord, "src/store/player_data.sql", player.uuid());
    send_rows(query.fetch(conn), records).await
}
