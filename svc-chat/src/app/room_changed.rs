//! Publishing that a room changed, for its feed in each replica.

use std::{fmt, str::FromStr};

use tracing::{Instrument as _, warn};

use super::Cx;
use crate::domain::RoomId;

/// What changed: a hint, with which a feed reads what it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RoomChange {
    /// A message with this number was stored.
    Message(u64),
    /// A message was removed.
    Removal,
    /// Someone joined, or is online.
    Counts,
    /// Someone left.
    MembershipEnded,
    /// A player's last stream at one replica ended. Replicas name those at theirs again.
    Offline,
}

/// The channel of a room.
pub(super) fn channel(room: RoomId) -> String {
    format!("chat.room.{room}")
}

/// Wakes this replica's feed at once, and those of the others in a task of its own. Call it
/// after the commit. The message may be lost: feeds also read without one.
pub(super) fn publish_room_changed(cx: &Cx, room: RoomId, change: RoomChange) {
    cx.feeds.wake(room, change);
    let pubsub = cx.pubsub.clone();
    let publishing = async move {
        // Fails after half a second, so a Redis that does not reply cannot pile up tasks.
        if let Err(error) = pubsub.publish(&channel(room), &change.to_string()).await {
            warn!(error = format!("{error:#}"), "cannot publish that a room changed");
        }
    };
    cx.shutdown.spawn_contained("publish room change", publishing.in_current_span());
}

impl fmt::Display for RoomChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message(seq) => write!(f, "message {seq}"),
            Self::Removal => f.write_str("removal"),
            Self::Counts => f.write_str("counts"),
            Self::MembershipEnded => f.write_str("membership-ended"),
            Self::Offline => f.write_str("offline"),
        }
    }
}

/// A payload of a newer replica has no change that this one knows.
impl FromStr for RoomChange {
    type Err = ();

    fn from_str(payload: &str) -> Result<Self, ()> {
        match payload {
            "removal" => Ok(Self::Removal),
            "counts" => Ok(Self::Counts),
            "membership-ended" => Ok(Self::MembershipEnded),
            "offline" => Ok(Self::Offline),
            other => {
                let seq = other.strip_prefix("message ").ok_or(())?;
                seq.parse().map(Self::Message).map_err(|_| ())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_parses_back_from_its_payload() {
        for change in [
            RoomChange::Message(4_711),
            RoomChange::Removal,
            RoomChange::Counts,
            RoomChange::MembershipEnded,
            RoomChange::Offline,
        ] {
            assert_eq!(change.to_string().parse(), Ok(change));
        }
        assert_eq!("message x".parse::<RoomChange>(), Err(()));
    }
}
