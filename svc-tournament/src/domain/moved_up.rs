//! The awards of players who move up, because the award of a winner was refused.

use super::{Award, GivenAward, Standing, Tier, Trust, award_won, late_award::what_is_more};

/// A player of a final board who is not refused.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Finalist {
    /// The place on the board as it was settled.
    pub(crate) standing: Standing,
    pub(crate) trust: Trust,
    pub(crate) tier: Tier,
}

/// Returns the new place and the award of each player who moves up. `finalists` are the first
/// players of the board without those who are refused, in order. A player who got an award gets what
/// that of the better place has more in cash.
pub(crate) fn moved_up(
    awards: &[Award],
    given: &[GivenAward],
    finalists: &[Finalist],
) -> Vec<(Standing, Award)> {
    let places = (1u64..).zip(finalists);
    places
        .filter_map(|(rank, finalist)| {
            let player = finalist.standing.player;
            let own = given.iter().filter(|one| one.player == player);
            let award = award_won(awards, rank, finalist.trust, finalist.tier)?;
            let award = what_is_more(award, rank, own)?;
            Some((Standing { rank, ..finalist.standing }, award))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use types::{Money, uuid::Uuid};

    use super::*;

    fn given(number: u128, rank: u64, cash: i32) -> GivenAward {
        let player = Uuid::from_u128(number).into();
        let cash = Some(Money::from_shillings(cash));
        GivenAward { player, rank, cash, is_late: false, is_refused: false }
    }

    /// The place and the cash of each player who moves up on a board of awards of 500, 200 and 100.
    fn moved(given: &[GivenAward], finalists: &[(u128, u64)]) -> Vec<(u64, u64, Option<Money>)> {
        let award = |position, cash| Award {
            position,
            tier: Tier::Bronze,
            name: "Cup".into(),
            cash: Some(Money::from_shillings(cash)),
        };
        let awards = [award(1, 500), award(2, 200), award(3, 100)];
        let finalists: Vec<_> = finalists
            .iter()
            .map(|(number, rank)| Finalist {
                standing: Standing {
                    player: Uuid::from_u128(*number).into(),
                    rank: *rank,
                    points: 9,
                },
                trust: Trust::Proven,
                tier: Tier::Bronze,
            })
            .collect();
        let up = moved_up(&awards, given, &finalists).into_iter();
        up.map(|(standing, award)| {
            (u64::try_from(standing.player.uuid().as_u128()).unwrap(), standing.rank, award.cash)
        })
        .collect()
    }

    #[test]
    fn each_place_below_a_refused_one_gets_what_the_better_place_has_more() {
        let shillings = |amount| Some(Money::from_shillings(amount));
        let given = [given(2, 2, 200), given(3, 3, 100)];
        // Player 1 is refused, and 4 had no award.
        let up = moved(&given, &[(2, 2), (3, 3), (4, 4)]);
        assert_eq!(up, [(2, 1, shillings(300)), (3, 2, shillings(100)), (4, 3, shillings(100))]);
    }

    #[test]
    fn whoever_is_above_the_refused_place_stays() {
        let shillings = |amount| Some(Money::from_shillings(amount));
        let settled = [given(1, 1, 500), given(3, 3, 100)];
        assert_eq!(moved(&settled, &[(1, 1), (3, 3)]), [(3, 2, shillings(100))]);
        // A second refusal, or a repeat, gives nothing twice.
        let again = [&settled[..], &[given(3, 2, 100)]].concat();
        assert_eq!(moved(&again, &[(1, 1), (3, 3)]), []);
    }
}
