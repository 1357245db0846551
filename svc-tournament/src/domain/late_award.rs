//! The award of a run that is released after the settlement.

use types::{Money, PlayerId};

use super::{Award, Standing, Tier, Trust, award_won};

/// An award that was given in a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GivenAward {
    pub(crate) player: PlayerId,
    pub(crate) rank: u64,
    /// `None` in an award without money.
    pub(crate) cash: Option<Money>,
    /// Whether the award was given for a run that was released after the settlement.
    pub(crate) is_late: bool,
    /// Whether an operator refused the award.
    pub(crate) is_refused: bool,
}

/// The place and the award of a late score; `standing` has its place behind all players of the board
/// with as many points. A place is given late once, so all late awards together cost no more than
/// the tournament's awards. A player who got awards gets the award of a better place alone, and what
/// it has more in cash. A player who was refused one gets none.
pub(crate) fn late_award(
    awards: &[Award],
    given: &[GivenAward],
    standing: Standing,
    trust: Trust,
    tier: Tier,
) -> Option<(Standing, Award)> {
    let (own, others): (Vec<GivenAward>, Vec<GivenAward>) =
        given.iter().copied().partition(|one| one.player == standing.player);
    if own.iter().any(|one| one.is_refused) {
        return None;
    }
    let is_taken =
        |rank: &u64| others.iter().any(|one| one.is_late && !one.is_refused && one.rank == *rank);
    let last = awards.iter().filter_map(|award| u64::try_from(award.position).ok()).max()?;
    let rank = (standing.rank..=last).find(|rank| !is_taken(rank))?;
    let award = what_is_more(award_won(awards, rank, trust, tier)?, rank, own.iter())?;
    Some((Standing { rank, ..standing }, award))
}

/// Returns the award of a place for a player who got `own` awards already: what it has more in cash;
/// `None` if the player got that of this place or of a better one, or as much.
pub(super) fn what_is_more<'a>(
    award: &Award,
    rank: u64,
    own: impl Iterator<Item = &'a GivenAward> + Clone,
) -> Option<Award> {
    if own.clone().any(|one| one.rank <= rank) {
        return None;
    }
    let got = own.filter_map(|one| one.cash);
    let got = got.fold(Money::ZERO, |sum, cash| sum.checked_add(cash).unwrap_or(sum));
    let cash = match award.cash {
        Some(cash) => Some(cash.checked_sub(got).filter(|left| *left > Money::ZERO)?),
        None => None,
    };
    Some(Award { cash, ..award.clone() })
}

#[cfg(test)]
mod tests {
    use types::uuid::Uuid;

    use super::*;

    fn shillings(amount: i64) -> Money {
        Money::from_cents(amount * 100)
    }

    fn player(number: u128) -> PlayerId {
        Uuid::from_u128(number).into()
    }

    fn given(number: u128, rank: u64, cash: i64, is_late: bool) -> GivenAward {
        GivenAward {
            player: player(number),
            rank,
            cash: Some(shillings(cash)),
            is_late,
            is_refused: false,
        }
    }

    /// The place and the cash of player 1's late score with a place on the board.
    fn late(given: &[GivenAward], rank: u64) -> Option<(u64, Option<Money>)> {
        let award = |position, cash| Award {
            position,
            tier: Tier::Bronze,
            name: "Cup".into(),
            cash: Some(shillings(cash)),
        };
        let awards = [award(1, 500), award(2, 200), award(3, 200)];
        let standing = Standing { player: player(1), rank, points: 9 };
        late_award(&awards, given, standing, Trust::Proven, Tier::Bronze)
            .map(|(standing, award)| (standing.rank, award.cash))
    }

    #[test]
    fn a_place_of_the_board_is_given_late_once() {
        let settled = [given(2, 1, 500, false), given(3, 2, 200, false)];
        assert_eq!(late(&settled, 1), Some((1, Some(shillings(500)))));
        assert_eq!(late(&settled, 4), None, "no award");
        let one = [&settled[..], &[given(4, 1, 500, true)]].concat();
        assert_eq!(late(&one, 1), Some((2, Some(shillings(200)))));
        let all = [&one[..], &[given(5, 2, 200, true), given(6, 3, 200, true)]].concat();
        assert_eq!(late(&all, 1), None);
    }

    #[test]
    fn a_repeat_gives_nothing() {
        let others = [given(2, 1, 500, false), given(3, 1, 500, true)];
        let after = [&others[..], &[given(1, 2, 200, true)]].concat();
        assert_eq!(late(&others, 1), Some((2, Some(shillings(200)))));
        assert_eq!(late(&after, 1), None);
        let later = [&after[..], &[given(4, 3, 200, true)]].concat();
        assert_eq!(late(&later, 1), None);
    }

    #[test]
    fn a_player_who_was_refused_gets_no_other_award() {
        let refused = GivenAward { is_refused: true, ..given(1, 3, 200, false) };
        assert_eq!(late(&[refused], 1), None);
    }

    #[test]
    fn a_winner_gets_what_a_better_place_has_more() {
        let own = [given(1, 3, 200, false)];
        assert_eq!(late(&own, 1), Some((1, Some(shillings(300)))));
        assert_eq!(late(&own, 2), None, "the second place has no more");
        assert_eq!(late(&own, 3), None);
    }
}
