//! A rules module.

use mesh::instrument;

use crate::{
    app::Cx,
    domain::RulesHash,
    error::{Error, Refused},
    store,
};

/// The module with this hash.
#[instrument(name = "games.get_rules", skip_all, fields(rules.sha256 = %hash))]
pub(crate) async fn get_rules(cx: &Cx, hash: RulesHash) -> Result<Vec<u8>, Error> {
    let mut conn = cx.db.acquire().await?;
    let found = store::rules::find(&mut conn, hash).await?;
    Ok(found.ok_or(Refused::RulesNotFound)?)
}
