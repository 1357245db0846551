//! Reads the caller's own phone number, which a service needs for a payment.

use mesh::{auth::Player, instrument};

use super::Cx;
use crate::{error::Error, store};

/// The number in E.164; `None` when the profile has none.
#[instrument(name = "auth.get_own_phone", skip_all, fields(player.id = %caller.id))]
pub(crate) async fn get_own_phone(cx: &Cx, caller: Player) -> Result<Option<String>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::player::phone(&mut conn, caller.id).await?)
}
