//! Stores the rules module of a game that is applied.

use sha2::{Digest as _, Sha256};
use sqlx::PgConnection;
use types::InvalidContent;

use crate::{
    app::Cx,
    domain::{GameManifest, RulesHash},
    error::{Error, Refused},
    store,
};

/// Validates the module and stores it, unless it is stored already. Without a module, the one that the manifest names has to be
/// stored already.
pub(super) async fn apply_rules(
    cx: &Cx,
    conn: &mut PgConnection,
    game: &GameManifest,
    module: Option<&[u8]>,
) -> Result<(), Error> {
    let invalid = |problem: &str| Refused::Content(InvalidContent::new("rules", problem));
    let Some(hash) = game.rules else {
        return match module {
            Some(_) => Err(invalid("has no sha256 in the manifest").into()),
            None => Ok(()),
        };
    };
    if module.is_some_and(|module| RulesHash(Sha256::digest(module).into()) != hash) {
        return Err(invalid("has another sha256 than the manifest says").into());
    }
    if store::rules::exists(conn, hash).await? {
        return Ok(());
    }
    let module = module.ok_or_else(|| invalid("is a module that was never applied"))?;
    let rules = cx.replays.compile(module.to_vec()).await?;
    let rules = rules.map_err(|error| invalid(&format!("is refused: {error}")))?;
    let numbers = [rules.pace.ticks_per_second().cast_signed(), rules.inputs];
    store::rules::insert(conn, hash, module, numbers, cx.clock.now()).await?;
    Ok(())
}
