//! Confirms a device for a player who cannot.

use mesh::{auth::Operator, instrument};
use tracing::info;
use types::PlayerId;

use super::Cx;
use crate::{
    domain::DeviceId,
    error::{Error, Refused},
    store::{self, device::Approval},
};

/// An operator's decision about a device.
pub(crate) struct ApproveDevice {
    pub(crate) player: PlayerId,
    pub(crate) device: DeviceId,
    /// The operator's reason, for the audit.
    pub(crate) reason: String,
}

/// Lets money leave a player's wallet by a device; false when it may already.
#[instrument(name = "auth.approve_device", skip_all, fields(player.id = %command.player))]
pub(crate) async fn approve_device(
    cx: &Cx,
    operator: &Operator,
    command: ApproveDevice,
) -> Result<bool, Error> {
    let ApproveDevice { player, device, reason } = command;
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    store::player::lock(&mut tx, player).await?;
    if !store::device::is_known(&mut tx, player, device).await? {
        return Err(Refused::DeviceNotFound.into());
    }
    if !store::device::confirm(&mut tx, player, device, now).await? {
        return Ok(false);
    }
    let id = cx.rng.uuid_v7(now);
    let approval = Approval { id, player, device, operator: operator.name(), reason: &reason };
    store::device::insert_approval(&mut tx, &approval, now).await?;
    tx.commit().await?;
    info!(operator = operator.name(), device.id = %device, "a device was approved");
    Ok(true)
}
