//! The money of the promotions account, and what of it is reserved for the awards of contests.

use thiserror::Error;
use time::OffsetDateTime;
use types::Money;

types::id! {
    /// Identifies the reservation of one contest.
    pub(crate) ReservationId: "reservation"
}

/// The largest reservation.
const AMOUNT_MAX: Money = Money::from_shillings(1_000_000_000);
/// Longest purpose, in characters.
const PURPOSE_MAX: usize = 200;

/// Money that the awards of a contest may cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reservation {
    pub(crate) id: ReservationId,
    /// The contest, for operators.
    pub(crate) purpose: String,
    /// All that is reserved, with what awards have paid of it.
    pub(crate) amount: Money,
    /// From this time on the money is reserved no longer.
    pub(crate) until: OffsetDateTime,
}

/// Why money cannot be reserved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum InvalidReservation {
    #[error("its id is no UUID")]
    Id,
    #[error("its amount is not zero to {AMOUNT_MAX}")]
    Amount,
    #[error("its purpose has not 1 to {PURPOSE_MAX} characters")]
    Purpose,
    #[error("it has no end")]
    Until,
}

impl Reservation {
    /// Refuses an amount or a purpose out of its limits.
    pub(crate) fn validate(&self) -> Result<(), InvalidReservation> {
        if self.amount < Money::ZERO || self.amount > AMOUNT_MAX {
            return Err(InvalidReservation::Amount);
        }
        let is_line = !self.purpose.trim().is_empty()
            && self.purpose.chars().count() <= PURPOSE_MAX
            && !self.purpose.contains(char::is_control);
        if is_line { Ok(()) } else { Err(InvalidReservation::Purpose) }
    }
}

/// The promotions account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Promotions {
    /// The rest of the money that was paid in. It is below zero after losses that nothing covered.
    pub(crate) left: Money,
    /// The money that the open reservations have not paid yet.
    pub(crate) reserved: Money,
}

impl Promotions {
    /// Whether the account can keep what it has reserved.
    pub(crate) fn covers_reservations(self) -> bool {
        self.left >= self.reserved
    }

    /// Whether the account could pay what was just posted: from a reservation if there was money,
    /// otherwise from what no contest has reserved.
    pub(crate) fn could_pay(self, from_reservation: bool) -> bool {
        self.left >= Money::ZERO && (from_reservation || self.covers_reservations())
    }

    /// Returns what is neither paid nor reserved; at least zero.
    pub(crate) fn free(self) -> Money {
        self.left.checked_sub(self.reserved).unwrap_or_default().max(Money::ZERO)
    }
}

/// The promotions account cannot pay or reserve an amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the promotions account has {free} free")]
pub(crate) struct PromotionsSpent {
    /// The money that is neither paid nor reserved.
    pub(crate) free: Money,
}

/// A reservation that awards have not used up, for operators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OpenReservation {
    pub(crate) reservation: Reservation,
    pub(crate) paid: Money,
}

#[cfg(test)]
mod tests {
    use types::uuid::Uuid;

    use super::*;

    fn account(left: i32, reserved: i32) -> Promotions {
        Promotions { left: Money::from_shillings(left), reserved: Money::from_shillings(reserved) }
    }

    #[test]
    fn a_reservation_has_limits() {
        let of = |cents, purpose: &str| Reservation {
            id: Uuid::from_u128(1).into(),
            purpose: purpose.to_owned(),
            amount: Money::from_cents(cents),
            until: OffsetDateTime::UNIX_EPOCH,
        };
        for cents in [0, 1, 100_000_000_000] {
            assert_eq!(of(cents, "friday-dash").validate(), Ok(()), "{cents}");
        }
        for cents in [i64::MIN, -1, 100_000_000_001] {
            assert_eq!(of(cents, "x").validate(), Err(InvalidReservation::Amount), "{cents}");
        }
        for purpose in ["", " ", "a\nb", &"x".repeat(201)] {
            assert_eq!(of(1, purpose).validate(), Err(InvalidReservation::Purpose), "{purpose:?}");
        }
    }

    #[test]
    fn what_is_reserved_is_paid_from_its_reservation_alone() {
        assert!(account(500, 500).could_pay(false), "nothing reserved was touched");
        assert!(!account(499, 500).could_pay(false));
        assert!(account(499, 500).could_pay(true), "a loss does not stop another contest's award");
        assert!(!account(-1, 0).could_pay(true), "there was no money");
    }

    #[test]
    fn what_is_free_is_never_below_zero() {
        assert_eq!(account(700, 500).free(), Money::from_shillings(200));
        assert_eq!(account(100, 500).free(), Money::ZERO);
        assert_eq!(account(-100, 0).free(), Money::ZERO);
    }
}
