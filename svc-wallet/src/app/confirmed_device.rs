//! Devices that money may leave by.

use mesh::auth::Player;
use time::OffsetDateTime;

use crate::error::Refused;

/// Refuses a call that takes money out of the player's reach from a device that is new to the
/// account: svc-auth says in the access token from when it may be used for that.
pub(super) fn check_device(player: Player, now: OffsetDateTime) -> Result<(), Refused> {
    match player.money_from {
        None => Err(Refused::DeviceNotConfirmed),
        Some(from) if now.unix_timestamp() < from => Err(Refused::DeviceTooNew),
        Some(_) => Ok(()),
    }
}
