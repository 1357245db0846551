//! Devices that players sign in on.

use time::{Duration, OffsetDateTime};

types::id! {
    /// The random id of a browser. A browser may be the device of several players.
    pub(crate) DeviceId: "device"
}

/// A row of `known_device`.
#[derive(Debug, Clone)]
pub(crate) struct KnownDevice {
    pub(crate) id: DeviceId,
    pub(crate) first_seen_at: OffsetDateTime,
    pub(crate) last_seen_at: OffsetDateTime,
    /// Time from which money may leave the wallet by the device; `None` until it is confirmed.
    pub(crate) money_from: Option<OffsetDateTime>,
}

/// Whether the owner of an account or a phone has signed in on a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// The owner has signed in on it.
    Known,
    /// Any other device.
    Unknown,
}

impl Standing {
    pub(crate) const fn of(is_known: bool) -> Self {
        if is_known { Self::Known } else { Self::Unknown }
    }
}

/// A device that was unused for this long no longer lets money leave. Carriers give an unused
/// number to another person, but not so soon.
pub(crate) const REST: Duration = Duration::days(60);

/// How long money waits on a new device of an account that has a phone alone. A code to that phone
/// proves nothing that the sign-in has not proven, and an owner whose number was taken over finds
/// out within the day.
const WAIT: Duration = Duration::hours(24);

/// How a player has proven who they are on a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// The account was created on the device, so that there is no money yet.
    NewAccount,
    /// A mailed link or code.
    Mail,
    /// A sign-in to an account that exists.
    SignIn,
}

/// The means by which an account can confirm a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Confirmable {
    /// Whether there is an address to mail a code to.
    pub(crate) has_address: bool,
    /// When a device that money may leave by was last in use.
    pub(crate) seen_at: Option<OffsetDateTime>,
}

impl Confirmable {
    /// Returns the time from which money may leave by a device that is new to the account, or has
    /// rested; `None` until the player confirms it.
    pub(crate) fn money_from(
        self,
        arrival: Arrival,
        now: OffsetDateTime,
    ) -> Option<OffsetDateTime> {
        let is_active = self.seen_at.is_some_and(|seen| now < seen + REST);
        match arrival {
            Arrival::NewAccount | Arrival::Mail => Some(now),
            Arrival::SignIn if !self.has_address && is_active => Some(now + WAIT),
            Arrival::SignIn => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-11-20 09:00 UTC);

    #[test]
    fn money_leaves_at_once_where_the_account_was_created_or_a_mail_confirms_it() {
        let away = Confirmable { has_address: false, seen_at: None };
        for arrival in [Arrival::NewAccount, Arrival::Mail] {
            assert_eq!(away.money_from(arrival, NOW), Some(NOW), "{arrival:?}");
        }
    }

    #[test]
    fn an_account_with_an_address_confirms_every_new_device() {
        let active = Confirmable { has_address: true, seen_at: Some(NOW) };
        assert_eq!(active.money_from(Arrival::SignIn, NOW), None);
    }

    #[test]
    fn an_account_with_a_phone_alone_waits_a_day_unless_it_has_rested() {
        let seen =
            |days| Confirmable { has_address: false, seen_at: Some(NOW - Duration::days(days)) };
        assert_eq!(seen(59).money_from(Arrival::SignIn, NOW), Some(NOW + Duration::DAY));
        assert_eq!(seen(60).money_from(Arrival::SignIn, NOW), None);
        let never = Confirmable { has_address: false, seen_at: None };
        assert_eq!(never.money_from(Arrival::SignIn, NOW), None);
    }
}
