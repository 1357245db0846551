//! Reads what this service stores about a player.

use mesh::{
    grpc::player_data::{Records, begin},
    instrument,
};
use types::PlayerId;

use super::Cx;
use crate::{error::Error, store};

/// Sends the records about a player, which svc-auth puts into the player's copy.
#[instrument(name = "tournament.list_player_data", skip_all, fields(player.id = %player))]
pub(crate) async fn list_player_data(
    cx: &Cx,
    player: PlayerId,
    records: Records,
) -> Result<(), Error> {
    let mut tx = begin(&cx.db).await?;
    Ok(store::player_data::list(&mut tx, player, &records).await?)
}
