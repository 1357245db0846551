//! The check for a device that is new to the account.

use mesh::auth::Player;
use time::OffsetDateTime;

use crate::error::Refused;

/// Refuses a call that takes money out of the player's reach from a device that is new to the
/// account. The access token of svc-auth contains the time from which the device may be used for
/// such calls.
pub(super) fn check_device(player: Player, now: OffsetDateTime) -> Result<(), Refused> {
    match player.money_from {
        None => Err(Refused::DeviceNotConfirmed),
        Some(from) if now.unix_timestamp() < from => Err(Refused::DeviceTooNew),
        Some(_) => Ok(()),
    }
}
