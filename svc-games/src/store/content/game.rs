//! Manifests of games: table `game`.

use mesh::db::statement;
use serde_json::{Value, json};
use sqlx::{PgConnection, types::Uuid};
use types::{Key, LocalText};

use super::{Audit, LIMIT, id};
use crate::{
    domain::{ContentKind, GameManifest},
    store::{decoded, proof},
};

impl Audit for GameManifest {
    fn audit(&self) -> Value {
        json!({
            "name": self.name,
            "packageId": self.package_id,
            "description": self.description,
            "gameIcon": self.game_icon,
            "trailerLink": self.trailer_link,
            "gameUrl": self.game_url,
            "featured": self.featured,
            "world": self.world,
            "levels": self.levels,
            "prizes": self.prize_class.to_string(),
            "rulesSha256": self.rules.map(|rules| rules.to_string()),
            "scoreKey": self.score_key.map(|key| key.to_string()),
        })
    }
}

#[statement]
pub(crate) async fn put_game(conn: &mut PgConnection, game: &GameManifest) -> sqlx::Result<()> {
    let bundled = || format!("/play/{}/", game.key.as_str());
    let url = game.game_url.clone().unwrap_or_else(bundled);
    sqlx::query!(
        "INSERT INTO game (id, key, name, package_id, description, game_icon, trailer_link,
             game_url, featured, world, levels, rules_sha256, score_key, description_sw,
             prize_class)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
         ON CONFLICT (id) DO UPDATE
         SET name = EXCLUDED.name, package_id = EXCLUDED.package_id,
             description = EXCLUDED.description, game_icon = EXCLUDED.game_icon,
             trailer_link = EXCLUDED.trailer_link, game_url = EXCLUDED.game_url,
             featured = EXCLUDED.featured, world = EXCLUDED.world, levels = EXCLUDED.levels,
             rules_sha256 = EXCLUDED.rules_sha256, score_key = EXCLUDED.score_key,
             description_sw = EXCLUDED.description_sw, prize_class = EXCLUDED.prize_class",
        id(ContentKind::Game, &game.key),
        game.key.as_str(),
        game.name,
        game.package_id,
        game.description.en,
        game.game_icon,
        game.trailer_link,
        url,
        game.featured,
        game.world,
        game.levels,
        game.rules.map(|rules| rules.0.to_vec()),
        game.score_key.map(|key| key.0.to_vec()),
        game.description.sw,
        game.prize_class.to_string()
    )
    .execute(conn)
    .await?;
    Ok(())
}

struct GameRow {
    key: String,
    name: String,
    package_id: String,
    description: String,
    description_sw: String,
    game_icon: String,
    trailer_link: Option<String>,
    game_url: String,
    featured: bool,
    world: String,
    levels: i32,
    prize_class: String,
    rules_sha256: Option<Vec<u8>>,
    score_key: Option<Vec<u8>>,
}

impl TryFrom<GameRow> for GameManifest {
    type Error = sqlx::Error;

    fn try_from(row: GameRow) -> sqlx::Result<Self> {
        let proof = proof(row.rules_sha256, row.score_key)?;
        Ok(Self {
            key: decoded(Key::parse(&row.key))?,
            name: row.name,
            package_id: row.package_id,
            description: LocalText { en: row.description, sw: row.description_sw },
            game_icon: row.game_icon,
            trailer_link: row.trailer_link,
            game_url: (!row.game_url.starts_with('/')).then_some(row.game_url),
            featured: row.featured,
            world: row.world,
            levels: row.levels,
            prize_class: decoded(row.prize_class.parse())?,
            rules: proof.rules(),
            score_key: proof.key(),
        })
    }
}

/// Returns the operators who have given a game these rules and this key, or confirmed them since.
#[statement]
pub(crate) async fn proof_operators(
    conn: &mut PgConnection,
    game: &GameManifest,
) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar!(
        r#"WITH applied AS (
               SELECT lower(operator) AS operator, change, changed_at, id,
                      change <> 'Deleted'
                          AND content ->> 'rulesSha256' IS NOT DISTINCT FROM $2
                          AND content ->> 'scoreKey' IS NOT DISTINCT FROM $3 AS is_same
               FROM content_change
               WHERE kind = 'Game' AND key = $1 AND change <> 'Proposed'
           ), following AS (
               SELECT *, coalesce(lag(is_same) OVER (ORDER BY changed_at, id), false) AS was_same
               FROM applied
           )
           SELECT DISTINCT operator AS "operator!" FROM following
           WHERE is_same AND (change = 'Confirmed' OR NOT was_same) AND NOT EXISTS (
               SELECT FROM applied AS later
               WHERE NOT later.is_same
                   AND (later.changed_at, later.id) > (following.changed_at, following.id))"#,
        game.key.as_str(),
        game.rules.map(|rules| rules.to_string()),
        game.score_key.map(|key| key.to_string())
    )
    .fetch_all(conn)
    .await
}

/// The games as operators write them, or the one with this id.
#[statement]
pub(crate) async fn games(
    conn: &mut PgConnection,
    id: Option<Uuid>,
) -> sqlx::Result<Vec<GameManifest>> {
    let rows = sqlx::query_as!(
        GameRow,
        "SELECT key, name, package_id, description, description_sw, game_icon, trailer_link,
             game_url, featured, world, levels, prize_class, rules_sha256,
             score_key
         FROM game WHERE id = COALESCE($1, id) ORDER BY key LIMIT $2",
        id,
        LIMIT
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(TryInto::try_into).collect()
}
