//! The board of one tournament.

use std::collections::{HashMap, HashSet, hash_map::Entry};

use types::{PlayerId, uuid::Uuid};

use super::ranking::Ranking;
use crate::domain::{Score, Standing};

/// The best score of each player of a tournament, in order.
#[derive(Debug, Clone)]
pub(crate) struct Board {
    ranking: Ranking<Place>,
    /// The place of each player.
    places: HashMap<PlayerId, Reached>,
    /// Players whose standing was removed. A catch-up may read their earlier scores again.
    removed: HashSet<PlayerId>,
}

/// A place: bytes whose order is that of the board. Most points first, then the earliest time, then
/// the player's id, so that the order is the same everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place([u8; 28]);

/// The part of a place that is the score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Reached([u8; 12]);

impl Reached {
    fn new(score: Score) -> Self {
        let points = !(score.points.cast_unsigned() ^ (1 << 31));
        let micros = score.reached_at.unix_timestamp_nanos() / 1_000;
        let micros = i64::try_from(micros).unwrap_or(i64::MAX).cast_unsigned() ^ (1 << 63);
        let mut bytes = [0; 12];
        bytes[..4].copy_from_slice(&points.to_be_bytes());
        bytes[4..].copy_from_slice(&micros.to_be_bytes());
        Self(bytes)
    }

    fn points(self) -> i32 {
        let mut bytes = [0; 4];
        bytes.copy_from_slice(&self.0[..4]);
        ((!u32::from_be_bytes(bytes)) ^ (1 << 31)).cast_signed()
    }

    fn place(self, player: PlayerId) -> Place {
        let mut bytes = [0; 28];
        bytes[..12].copy_from_slice(&self.0);
        bytes[12..].copy_from_slice(player.uuid().as_bytes());
        Place(bytes)
    }
}

impl Place {
    fn standing(&self, position: usize) -> Standing {
        let (mut reached, mut player) = ([0; 12], [0; 16]);
        reached.copy_from_slice(&self.0[..12]);
        player.copy_from_slice(&self.0[12..]);
        Standing {
            player: Uuid::from_bytes(player).into(),
            rank: position as u64 + 1,
            points: Reached(reached).points(),
        }
    }
}

impl Board {
    /// A board of the scores; a player has one.
    pub(crate) fn new(scores: impl IntoIterator<Item = (PlayerId, Score)>) -> Self {
        let scores = scores.into_iter().map(|(player, score)| (player, Reached::new(score)));
        let places: HashMap<PlayerId, Reached> = scores.collect();
        let ranking = places.iter().map(|(player, reached)| reached.place(*player)).collect();
        Self { ranking: Ranking::from_unsorted(ranking), places, removed: HashSet::new() }
    }

    /// Applies a score, if it is the player's best. Repeats and scores out of order give the same
    /// board.
    pub(crate) fn apply(&mut self, player: PlayerId, score: Score) {
        if self.removed.contains(&player) {
            return;
        }
        let reached = Reached::new(score);
        match self.places.entry(player) {
            Entry::Vacant(vacant) => {
                vacant.insert(reached);
            }
            Entry::Occupied(mut known) if reached < *known.get() => {
                self.ranking.remove(&known.get().place(player));
                known.insert(reached);
            }
            Entry::Occupied(_) => return,
        }
        self.ranking.insert(reached.place(player));
    }

    /// Removes a player for good.
    pub(crate) fn remove(&mut self, player: PlayerId) {
        if let Some(known) = self.places.remove(&player) {
            self.ranking.remove(&known.place(player));
        }
        self.removed.insert(player);
    }

    /// How many players have a score.
    pub(crate) const fn players(&self) -> usize {
        self.ranking.len()
    }

    /// A player's place.
    pub(crate) fn standing(&self, player: PlayerId) -> Option<Standing> {
        let place = self.places.get(&player)?.place(player);
        Some(place.standing(self.ranking.position(&place)?))
    }

    /// At most `limit` places after the first `offset`.
    pub(crate) fn page(&self, offset: usize, limit: usize) -> Vec<Standing> {
        let places = self.ranking.starting_at(offset).take(limit);
        places.zip(offset..).map(|(place, position)| place.standing(position)).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use time::{Duration, macros::datetime};

    use super::*;

    fn player(number: u128) -> PlayerId {
        Uuid::from_u128(number).into()
    }

    fn score(points: i32, second: i64) -> Score {
        Score::new(points, datetime!(2026-11-20 09:00 UTC) + Duration::seconds(second))
    }

    fn order(board: &Board) -> Vec<(u128, i32)> {
        let page = board.page(0, usize::MAX);
        page.into_iter().map(|one| (one.player.uuid().as_u128(), one.points)).collect()
    }

    #[test]
    fn the_most_points_are_first_and_of_the_same_points_the_earliest() {
        let mut board = Board::new([
            (player(1), score(10, 5)),
            (player(2), score(10, 3)),
            (player(3), score(-4, 0)),
            (player(4), score(i32::MIN, 0)),
        ]);
        board.apply(player(5), score(i32::MAX, 9));
        board.apply(player(6), score(10, 3));
        assert_eq!(
            order(&board),
            [(5, i32::MAX), (2, 10), (6, 10), (1, 10), (3, -4), (4, i32::MIN)]
        );
        assert_eq!(board.standing(player(1)).unwrap().rank, 4);
        assert_eq!(board.standing(player(9)), None);
        let page = board.page(2, 2);
        assert_eq!(page.iter().map(|one| one.rank).collect::<Vec<_>>(), [3, 4]);
        assert!(board.page(6, 15).is_empty());
        assert!(board.page(1_000_000, 15).is_empty());
    }

    #[test]
    fn a_player_has_one_place_which_only_gets_better() {
        let mut board = Board::new([(player(1), score(10, 5))]);
        board.apply(player(1), score(9, 1));
        board.apply(player(1), score(10, 6));
        assert_eq!(board.standing(player(1)).unwrap().points, 10);
        board.apply(player(2), score(10, 4));
        assert_eq!(order(&board), [(2, 10), (1, 10)]);
        board.apply(player(1), score(10, 3));
        assert_eq!(order(&board), [(1, 10), (2, 10)]);
        board.apply(player(1), score(11, 9));
        assert_eq!((board.players(), board.standing(player(1)).unwrap().points), (2, 11));
    }

    #[test]
    fn a_player_who_was_removed_does_not_come_back() {
        let mut board = Board::new([(player(1), score(10, 5)), (player(2), score(9, 1))]);
        board.remove(player(1));
        board.remove(player(3));
        board.apply(player(1), score(10, 5));
        board.apply(player(3), score(30, 1));
        assert_eq!((order(&board), board.players()), (vec![(2, 9)], 1));
        assert_eq!(board.standing(player(1)), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn the_order_of_scores_does_not_matter(
            scores in prop::collection::vec((0..40_u128, 0..20_i32, 0..10_i64), 0..300),
        ) {
            let scores = || scores.iter().map(|(one, points, at)| (player(*one), score(*points, *at)));
            let mut forwards = Board::new([]);
            scores().for_each(|(player, score)| forwards.apply(player, score));
            let mut backwards = Board::new([]);
            scores().rev().for_each(|(player, score)| backwards.apply(player, score));
            // Each score is applied twice, as deliveries may be repeated.
            scores().for_each(|(player, score)| backwards.apply(player, score));
            prop_assert_eq!(order(&forwards), order(&backwards));
            let mut best: HashMap<PlayerId, Score> = HashMap::new();
            for (player, score) in scores() {
                let kept = best.entry(player).or_insert(score);
                let is_better = (score.points, kept.reached_at) > (kept.points, score.reached_at);
                if is_better {
                    *kept = score;
                }
            }
            let mut sorted: Vec<_> = best.iter().collect();
            sorted.sort_by_key(|(player, score)| (-score.points, score.reached_at, **player));
            let sorted: Vec<_> =
                sorted.iter().map(|(player, score)| (player.uuid().as_u128(), score.points)).collect();
            prop_assert_eq!(order(&forwards), sorted);
        }
    }
}
