//! Table `game`.

use mesh::db::statement;
use sqlx::{PgConnection, types::Uuid};
use types::LocalText;

use super::{decoded, proof};
use crate::domain::{Game, GameId};

pub(super) struct Row {
    pub(super) id: Uuid,
    pub(super) name: String,
    pub(super) package_id: String,
    pub(super) description: String,
    pub(super) description_sw: String,
    pub(super) game_icon: String,
    pub(super) trailer_link: Option<String>,
    pub(super) game_url: String,
    pub(super) featured: bool,
    pub(super) world: String,
    pub(super) levels: i32,
    pub(super) prize_class: String,
    pub(super) rules_sha256: Option<Vec<u8>>,
    pub(super) score_key: Option<Vec<u8>>,
}

impl TryFrom<Row> for Game {
    type Error = sqlx::Error;

    fn try_from(row: Row) -> sqlx::Result<Self> {
        Ok(Self {
            id: row.id.into(),
            name: row.name,
            package_id: row.package_id,
            description: LocalText { en: row.description, sw: row.description_sw },
            game_icon: row.game_icon,
            trailer_link: row.trailer_link,
            game_url: row.game_url,
            featured: row.featured,
            world: row.world,
            levels: row.levels,
            prize_class: decoded(row.prize_class.parse())?,
            proof: proof(row.rules_sha256, row.score_key)?,
        })
    }
}

/// The first `limit` games: featured ones first, then by name.
#[statement]
pub(crate) async fn list(conn: &mut PgConnection, limit: i64) -> sqlx::Result<Vec<Game>> {
    let rows = sqlx::query_as!(
        Row,
        "SELECT id, name, package_id, description, description_sw, game_icon, trailer_link,
             game_url, featured, world, levels, prize_class, rules_sha256, score_key
         FROM game ORDER BY featured DESC, name, id LIMIT $1",
        limit
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(TryInto::try_into).collect()
}

/// The game with this id.
#[statement]
pub(crate) async fn find(conn: &mut PgConnection, id: GameId) -> sqlx::Result<Option<Game>> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, name, package_id, description, description_sw, game_icon, trailer_link,
             game_url, featured, world, levels, prize_class, rules_sha256, score_key
         FROM game WHERE id = $1",
        id.uuid()
    )
    .fetch_optional(conn)
    .await?;
    row.map(TryInto::try_into).transpose()
}
