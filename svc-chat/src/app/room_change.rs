//! Changes of rooms that replicas publish to each other.

use std::{fmt, str::FromStr};

/// A change of a room: a hint that has a feed read the rows that changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RoomChange {
    /// A message with this number was stored.
    Message(u64),
    /// A message was removed.
    Removal,
    /// A player joined, or is online.
    Counts,
    /// A player left the room.
    MembershipEnded,
    /// A player's last stream at one replica ended. Each replica names its own players again.
    Offline,
}

impl RoomChange {
    /// Merges two changes of one kind into one.
    pub(crate) fn merge(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Message(one), Self::Message(other)) => Some(Self::Message(one.max(other))),
            _ => (self == other).then_some(self),
        }
    }
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

/// Fails for a payload of a newer replica with a change that this one does not know.
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
