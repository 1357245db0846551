//! The devices that a player is known on, for operators.

use mesh::instrument;
use types::PlayerId;

use super::Cx;
use crate::{domain::KnownDevice, error::Error, store};

/// A player's devices, the one used last first.
#[instrument(name = "auth.list_devices", skip_all, fields(player.id = %player))]
pub(crate) async fn list_devices(cx: &Cx, player: PlayerId) -> Result<Vec<KnownDevice>, Error> {
    let mut conn = cx.db.acquire().await?;
    Ok(store::device::list(&mut conn, player).await?)
}
