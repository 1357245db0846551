//! Whether two operators have applied the rules or the key by which a game's scores are proven.

use mesh::instrument;
use sqlx::PgConnection;

use crate::{
    app::Cx,
    domain::{GameId, GameManifest},
    error::Error,
    store,
};

/// How many operators must have applied rules or a key before much cash depends on them.
const OPERATORS: usize = 2;

/// Whether the rules or the key of a game are those of two operators. False for an unknown game.
#[instrument(name = "games.is_proof_confirmed", skip_all, fields(game.id = %game))]
pub(crate) async fn is_proof_confirmed(cx: &Cx, game: GameId) -> Result<bool, Error> {
    let mut conn = cx.db.acquire().await?;
    let Some(game) = store::content::games(&mut conn, Some(game.uuid())).await?.pop() else {
        return Ok(false);
    };
    Ok(store::content::proof_operators(&mut conn, &game).await?.len() >= OPERATORS)
}

/// Whether an operator who applies a game as it is confirms its rules and its key.
pub(super) async fn is_confirmation(
    conn: &mut PgConnection,
    operator: &str,
    game: &GameManifest,
) -> Result<bool, Error> {
    let operators = store::content::proof_operators(conn, game).await?;
    Ok(operators.len() < OPERATORS && operators.iter().all(|earlier| earlier != operator))
}
