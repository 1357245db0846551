//! How the scores of a game are proven, and by how many operators.

use mesh::instrument;
use sqlx::PgConnection;

use super::prove::rules;
use crate::{
    app::Cx,
    domain::{GameId, GameManifest, PieceLength, Proof},
    error::{Error, Refused},
    store,
};

/// How many operators must have applied rules or a key before much cash depends on them.
const OPERATORS: usize = 2;

/// How the scores of a game are proven.
#[derive(Debug)]
pub(crate) struct GameProof {
    pub(crate) proof: Proof,
    /// Whether two operators have applied the rules or the key.
    pub(crate) is_confirmed: bool,
    /// Whether runs are live and in time.
    pub(crate) is_live: bool,
}

/// Returns how the scores of a game are proven.
#[instrument(name = "games.get_game_proof", skip_all, fields(game.id = %game))]
pub(crate) async fn get_game_proof(cx: &Cx, game: GameId) -> Result<GameProof, Error> {
    let mut conn = cx.db.acquire().await?;
    let game = store::content::games(&mut conn, Some(game.uuid())).await?.pop();
    let game = game.ok_or(Refused::GameNotFound)?;
    let proof = Proof::new(game.rules, game.score_key);
    let operators = store::content::proof_operators(&mut conn, &game).await?;
    drop(conn);
    let is_live = match proof.rules() {
        Some(hash) => rules(cx, hash).await?.pieces().is_some_and(PieceLength::is_in_time),
        None => false,
    };
    let is_confirmed = proof != Proof::Claim && operators.len() >= OPERATORS;
    Ok(GameProof { proof, is_confirmed, is_live })
}

/// Whether an operator who applies a game as it is confirms its rules or its key. Rules are confirmed
/// by who has their module: the hash alone can be copied from the game.
pub(super) async fn is_confirmation(
    conn: &mut PgConnection,
    operator: &str,
    game: &GameManifest,
    has_module: bool,
) -> Result<bool, Error> {
    if !has_module && game.score_key.is_none() {
        return Ok(false);
    }
    let operators = store::content::proof_operators(conn, game).await?;
    Ok(operators.len() < OPERATORS && operators.iter().all(|earlier| earlier != operator))
}
