//! Awards: what a position wins, by tier.

use std::collections::BTreeMap;

use strum::{Display, EnumString};
use types::{LocalText, Money};

use super::Trust;

/// The package that an award is for. The texts are the values of the columns `tier`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Display, EnumString)]
pub(crate) enum Tier {
    Bronze,
    Silver,
    Gold,
}

/// Which prizes a tournament in a game may have, as svc-games knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PrizeClass {
    /// No money can be won.
    Solvable,
    /// Money can be won where operators review each winner.
    Open,
    /// Money can be won.
    Reflex,
}

/// A package that a player subscribes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Package {
    Bronze,
    Silver,
    Gold,
    Platinum,
}

/// The award of a position, for one tier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Award {
    /// The position on the board, from 1.
    pub(crate) position: i32,
    pub(crate) tier: Tier,
    pub(crate) name: LocalText,
    /// `None` in an award without money.
    pub(crate) cash: Option<Money>,
}

impl Tier {
    /// The tier of a player, by the best package that was held when the winning run began.
    /// Bronze serves players without one; there are no awards above gold.
    pub(crate) const fn of(best: Option<Package>) -> Self {
        match best {
            None | Some(Package::Bronze) => Self::Bronze,
            Some(Package::Silver) => Self::Silver,
            Some(Package::Gold | Package::Platinum) => Self::Gold,
        }
    }
}

/// The award that a place wins. An award of money needs a proven or signed score.
pub(crate) fn award_won(awards: &[Award], rank: u64, trust: Trust, tier: Tier) -> Option<&Award> {
    let award = award_for(awards, rank, tier)?;
    (award.cash.is_none() || trust.wins_cash()).then_some(award)
}

/// The award of a position for a player of this tier: the tier's own, or that of the next
/// lower tier that has one.
fn award_for(awards: &[Award], position: u64, tier: Tier) -> Option<&Award> {
    awards
        .iter()
        .filter(|award| u64::try_from(award.position) == Ok(position) && award.tier <= tier)
        .max_by_key(|award| award.tier)
}

/// The most that the awards cost together, which is the sum of the highest cash of each position,
/// and the name of the first position's award at its best tier.
pub(crate) fn total_cash(awards: &[Award]) -> (Option<Money>, LocalText) {
    let (mut best, mut most) = (BTreeMap::<i32, &Award>::new(), BTreeMap::<i32, Money>::new());
    for award in awards {
        let kept = best.entry(award.position).or_insert(award);
        if award.tier > kept.tier {
            *kept = award;
        }
        let cash = most.entry(award.position).or_default();
        *cash = award.cash.unwrap_or_default().max(*cash);
    }
    let cash =
        most.into_values().fold(Money::ZERO, |sum, cash| sum.checked_add(cash).unwrap_or(sum));
    let first = best.first_key_value().map(|(_, award)| award.name.clone());
    ((cash > Money::ZERO).then_some(cash), first.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn award(position: i32, tier: Tier, shillings: i32) -> Award {
        let cash = (shillings > 0).then(|| Money::from_shillings(shillings));
        Award { position, tier, name: format!("{tier} {position}").as_str().into(), cash }
    }

    #[test]
    fn the_tier_is_that_of_the_best_package() {
        assert_eq!(Tier::of(None), Tier::Bronze);
        assert_eq!(Tier::of(Some(Package::Bronze)), Tier::Bronze);
        assert_eq!(Tier::of(Some(Package::Silver)), Tier::Silver);
        assert_eq!(Tier::of(Some(Package::Gold)), Tier::Gold);
        assert_eq!(Tier::of(Some(Package::Platinum)), Tier::Gold);
    }

    #[test]
    fn a_position_wins_the_award_of_its_tier_or_of_the_next_lower_one() {
        let all = [Tier::Silver, Tier::Gold, Tier::Bronze].map(|tier| award(1, tier, 1));
        for tier in [Tier::Bronze, Tier::Silver, Tier::Gold] {
            assert_eq!(award_for(&all, 1, tier).unwrap().tier, tier);
            assert_eq!(award_for(&all, 2, tier), None);
        }
        let bronze_and_gold = [award(1, Tier::Bronze, 1), award(1, Tier::Gold, 1)];
        assert_eq!(award_for(&bronze_and_gold, 1, Tier::Silver).unwrap().tier, Tier::Bronze);
        let gold = [award(1, Tier::Gold, 1)];
        assert_eq!(award_for(&gold, 1, Tier::Bronze), None);
    }

    #[test]
    fn the_total_counts_each_position_once_at_its_highest_cash() {
        let awards = [
            award(2, Tier::Bronze, 50),
            award(1, Tier::Bronze, 100),
            award(1, Tier::Gold, 300),
            award(3, Tier::Bronze, 0),
        ];
        assert_eq!(total_cash(&awards), (Some(Money::from_shillings(350)), "Gold 1".into()));
        let more_for_bronze = [award(1, Tier::Gold, 1), award(1, Tier::Bronze, 500)];
        assert_eq!(
            total_cash(&more_for_bronze),
            (Some(Money::from_shillings(500)), "Gold 1".into())
        );
        assert_eq!(total_cash(&awards[3..]), (None, "Bronze 3".into()));
        assert_eq!(total_cash(&[]), (None, LocalText::default()));
    }
}
