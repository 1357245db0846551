//! Awards of money.

use thiserror::Error;
use time::OffsetDateTime;
use types::{Money, PlayerId};

use super::ReservationId;

types::id! {
    /// Identifies an award of one player.
    pub(crate) AwardId: "award"
}

/// The largest amount of one award.
const AMOUNT_MAX: Money = Money::from_shillings(1_000_000);
/// Longest detail, in characters.
const DETAIL_MAX: usize = 200;

/// Money that a player won.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Award {
    pub(crate) id: AwardId,
    pub(crate) player: PlayerId,
    pub(crate) amount: Money,
    /// The line on the player's receipt.
    pub(crate) detail: String,
    /// When the award was given.
    pub(crate) awarded_at: OffsetDateTime,
    /// The reservation that the award is paid from.
    pub(crate) reservation: Option<ReservationId>,
}

/// An award as it was posted to the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PaidAward {
    pub(crate) player: PlayerId,
    pub(crate) amount: Money,
    pub(crate) detail: String,
}

/// Why an award cannot be paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum InvalidAward {
    #[error("its id is no UUID")]
    Id,
    #[error("it names no player")]
    Player,
    #[error("its amount is not above zero and at most {AMOUNT_MAX}")]
    Amount,
    #[error("its detail has not 1 to {DETAIL_MAX} characters")]
    Detail,
    #[error("it has no time")]
    Time,
    #[error("its reservation is no UUID")]
    Reservation,
}

impl Award {
    /// Refuses an amount or a detail out of its limits.
    pub(crate) fn validate(&self) -> Result<(), InvalidAward> {
        if self.amount <= Money::ZERO || self.amount > AMOUNT_MAX {
            return Err(InvalidAward::Amount);
        }
        let is_line = !self.detail.trim().is_empty()
            && self.detail.chars().count() <= DETAIL_MAX
            && !self.detail.contains(char::is_control);
        if is_line { Ok(()) } else { Err(InvalidAward::Detail) }
    }

    /// Whether the ledger has this award with the same content.
    pub(crate) fn is(&self, paid: &PaidAward) -> bool {
        (self.player, self.amount, self.detail.as_str())
            == (paid.player, paid.amount, paid.detail.as_str())
    }
}

#[cfg(test)]
mod tests {
    use types::uuid::Uuid;

    use super::*;

    fn award(cents: i64, detail: &str) -> Award {
        Award {
            id: Uuid::from_u128(1).into(),
            player: Uuid::from_u128(2).into(),
            amount: Money::from_cents(cents),
            detail: detail.to_owned(),
            awarded_at: OffsetDateTime::UNIX_EPOCH,
            reservation: None,
        }
    }

    #[test]
    fn an_award_has_limits() {
        for cents in [1, 100_000_000] {
            assert_eq!(award(cents, "Friday Dash · place 1").validate(), Ok(()), "{cents}");
        }
        for cents in [i64::MIN, -1, 0, 100_000_001] {
            assert_eq!(award(cents, "x").validate(), Err(InvalidAward::Amount), "{cents}");
        }
        assert_eq!(award(1, &"é".repeat(200)).validate(), Ok(()));
        for detail in ["", " ", "a\nb", &"x".repeat(201)] {
            assert_eq!(award(1, detail).validate(), Err(InvalidAward::Detail), "{detail:?}");
        }
    }

    #[test]
    fn a_repeat_has_the_same_player_amount_and_detail() {
        let first = award(100, "Friday Dash");
        let paid = |award: Award| PaidAward {
            player: award.player,
            amount: award.amount,
            detail: award.detail,
        };
        assert!(first.is(&paid(award(100, "Friday Dash"))));
        assert!(!first.is(&paid(award(101, "Friday Dash"))));
        assert!(!first.is(&paid(award(100, "Ajua Open"))));
        let other = Award { player: Uuid::from_u128(3).into(), ..first.clone() };
        assert!(!first.is(&paid(other)));
    }
}
