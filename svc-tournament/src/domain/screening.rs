//! The rules of the screening before a prize of money is paid. They find several winners behind whom one
//! person may stand, and points that are out of the range of the board. svc-games finds runs that a
//! person may not have played.

use std::fmt;

use types::PlayerId;

/// A kind of identity that players may share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IdentityKind {
    /// A browser on which the players have signed in.
    Device,
    /// A phone that the players sign in with, or have proven for withdrawals.
    Phone,
}

/// A device or a phone of two or more winners.
#[derive(Debug, Clone)]
pub(crate) struct SharedIdentity {
    pub(crate) kind: IdentityKind,
    pub(crate) players: Vec<PlayerId>,
}

/// A player who won money in a tournament.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Winner {
    pub(crate) player: PlayerId,
    /// The best place of the player's awards.
    pub(crate) rank: u64,
    /// The player's points on the final board; `None` for a player who is not on it. The points of a run
    /// that operators released later are not there.
    pub(crate) points: Option<i32>,
    /// Whether one of the player's awards has passed the screening, and is paid or will be.
    pub(crate) is_cleared: bool,
    /// Whether one of the player's awards was refused.
    pub(crate) is_refused: bool,
    /// Whether one of the player's awards is due for its screening.
    pub(crate) is_due: bool,
}

/// What a winner shares with another winner, as operators read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SharedWithWinner {
    pub(crate) kind: IdentityKind,
    /// The place of the other winner.
    pub(crate) rank: u64,
}

impl fmt::Display for SharedWithWinner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            IdentityKind::Device => "device",
            IdentityKind::Phone => "phone",
        };
        write!(f, "shares a {kind} with the winner of place {}", self.rank)
    }
}

/// Returns what a winner shares with another winner who has the better place, has passed the screening,
/// or was refused an award. Of several winners who share something, the best alone passes.
pub(crate) fn find_shared_with_winner(
    own: &Winner,
    winners: &[Winner],
    shared: &[SharedIdentity],
) -> Option<SharedWithWinner> {
    let comes_first = |other: &&Winner| {
        let has_better_place = (other.rank, other.player) < (own.rank, own.player);
        other.player != own.player && (other.is_cleared || other.is_refused || has_better_place)
    };
    shared.iter().filter(|one| one.players.contains(&own.player)).find_map(|one| {
        let others = winners.iter().filter(|other| one.players.contains(&other.player));
        let first = others.filter(comes_first).min_by_key(|other| other.rank)?;
        Some(SharedWithWinner { kind: one.kind, rank: first.rank })
    })
}

/// Fewer players do not show which points a game allows.
const OUTLIER_PLAYERS: u64 = 20;
/// Points are out of range if they are above the median by more than so many times the distance from
/// the median to the best quarter. Among 200 runs of Duma Dash by bots that err as people do the best
/// was at 3.5, and a bot that made no mistakes at 22.
const OUTLIER_DISTANCES: i64 = 8;

/// How the points of a final board are spread.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoardPoints {
    pub(crate) players: u64,
    pub(crate) median: i32,
    /// The points that a quarter of the players reached.
    pub(crate) best_quarter: i32,
}

/// Points that are out of the range of the board, as operators read it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outlier {
    points: i32,
    board: BoardPoints,
}

impl fmt::Display for Outlier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { points, board: BoardPoints { median, best_quarter, .. } } = self;
        write!(
            f,
            "has {points} points; half of the board has {median} or more, a quarter {best_quarter}"
        )
    }
}

/// Returns a winner's points if they are out of the range of the board.
pub(crate) fn find_outlier(winner: &Winner, board: BoardPoints) -> Option<Outlier> {
    let points = winner.points?;
    // Where a quarter of the board has the points of the median, each point counts.
    let distance = (i64::from(board.best_quarter) - i64::from(board.median)).max(1);
    let above_median = i64::from(points) - i64::from(board.median);
    let is_outlier = above_median > distance * OUTLIER_DISTANCES;
    (is_outlier && board.players >= OUTLIER_PLAYERS).then_some(Outlier { points, board })
}

#[cfg(test)]
mod tests {
    use types::uuid::Uuid;

    use super::*;

    fn player(number: u128) -> PlayerId {
        Uuid::from_u128(number).into()
    }

    fn winner(number: u128, rank: u64) -> Winner {
        let player = player(number);
        let (points, is_due) = (None, true);
        Winner { player, rank, points, is_cleared: false, is_refused: false, is_due }
    }

    fn shared(kind: IdentityKind, numbers: &[u128]) -> [SharedIdentity; 1] {
        let players = numbers.iter().map(|number| player(*number)).collect();
        [SharedIdentity { kind, players }]
    }

    /// The places of the winners with whom each winner shares something, in the order of the winners.
    fn places(winners: &[Winner], shared: &[SharedIdentity]) -> Vec<Option<u64>> {
        let found = winners.iter().map(|own| find_shared_with_winner(own, winners, shared));
        found.map(|found| found.map(|found| found.rank)).collect()
    }

    #[test]
    fn of_winners_who_share_a_phone_the_best_alone_passes() {
        let winners = [winner(1, 1), winner(2, 2), winner(3, 3), winner(4, 4)];
        let phone = shared(IdentityKind::Phone, &[3, 2, 4]);
        assert_eq!(places(&winners, &phone), [None, None, Some(2), Some(2)]);
        let found = find_shared_with_winner(&winners[2], &winners, &phone).unwrap();
        assert_eq!(found.to_string(), "shares a phone with the winner of place 2");
    }

    #[test]
    fn a_better_place_helps_nobody_who_shares_with_a_cleared_or_refused_winner() {
        let device = shared(IdentityKind::Device, &[1, 2]);
        let cleared = Winner { is_cleared: true, ..winner(2, 2) };
        let refused = Winner { is_refused: true, ..winner(2, 2) };
        for other in [cleared, refused] {
            assert_eq!(places(&[winner(1, 1), other], &device)[0], Some(2));
        }
    }

    #[test]
    fn of_two_winners_of_one_place_one_passes() {
        let winners = [winner(1, 1), winner(2, 1)];
        let device = shared(IdentityKind::Device, &[1, 2]);
        assert_eq!(places(&winners, &device), [None, Some(1)]);
    }

    #[test]
    fn points_far_above_the_board_are_out_of_range() {
        let board = BoardPoints { players: 200, median: 725, best_quarter: 1_008 };
        let found = |points, board| {
            find_outlier(&Winner { points, ..winner(1, 1) }, board).map(|found| found.to_string())
        };
        assert_eq!(found(Some(1_564), board), None);
        assert_eq!(found(Some(725 + 8 * 283), board), None);
        let text = "has 7076 points; half of the board has 725 or more, a quarter 1008";
        assert_eq!(found(Some(7_076), board).as_deref(), Some(text));
        assert!(found(Some(726 + 8 * 283), board).is_some());
        assert_eq!(found(None, board), None);
    }

    #[test]
    fn a_small_board_shows_no_range_and_one_of_equal_points_a_narrow_one() {
        let found = |players, points| {
            let board = BoardPoints { players, median: 10, best_quarter: 10 };
            find_outlier(&Winner { points: Some(points), ..winner(1, 1) }, board).is_some()
        };
        assert!(!found(19, 1_000));
        assert!(found(20, 19));
        assert!(!found(20, 18));
    }
}
