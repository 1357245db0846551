//! The state of a player's copy.

use mesh::{auth::Player, instrument};

use super::Cx;
use crate::{domain::DataCopy, error::Error, store};

/// Returns the state of the caller's copy, if there is one.
#[instrument(name = "auth.get_data_copy", skip_all, fields(player.id = %caller.id))]
pub(crate) async fn get_data_copy(cx: &Cx, caller: Player) -> Result<Option<DataCopy>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::data_copy::find(&mut conn, caller.id, cx.clock.now()).await?)
}
