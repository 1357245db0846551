//! An ordered set with positions: an order-statistic structure.
//!
//! The elements are in chunks of limited length, and the lengths are in a list of their own. A
//! position is the sum of the lengths before a chunk, which for a million elements is a sum of
//! some thousand numbers that are next to each other in memory, and a place within the chunk,
//! which is a binary search. An insertion moves the elements of one chunk.

use std::cmp::Ordering;

/// A chunk that is longer is split.
const CHUNK_MAX: usize = 512;
/// A chunk that is shorter is merged with the one after it, if there is room.
const CHUNK_MIN: usize = CHUNK_MAX / 4;
/// The length of the chunks of a new ranking, which leaves room for insertions.
const CHUNK_NEW: usize = CHUNK_MAX * 3 / 4;

/// A set in order, with the position of each element.
#[derive(Debug, Clone)]
pub(super) struct Ranking<T> {
    /// The chunks, none of them empty.
    chunks: Vec<Vec<T>>,
    /// The lengths of the chunks.
    lengths: Vec<u32>,
    len: usize,
}

impl<T: Ord + Copy> Ranking<T> {
    pub(super) fn from_unsorted(mut elements: Vec<T>) -> Self {
        elements.sort_unstable();
        elements.dedup();
        let chunks: Vec<Vec<T>> = elements
            .chunks(CHUNK_NEW)
            .map(|elements| {
                let mut chunk = Vec::with_capacity(CHUNK_MAX);
                chunk.extend_from_slice(elements);
                chunk
            })
            .collect();
        let lengths = chunks.iter().map(|chunk| length(chunk)).collect();
        Self { chunks, lengths, len: elements.len() }
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// Adds an element; false if it is there already.
    pub(super) fn insert(&mut self, element: T) -> bool {
        if self.chunks.is_empty() {
            self.chunks.push(Vec::with_capacity(CHUNK_MAX));
            self.lengths.push(0);
        }
        // An element beyond the last one goes into the last chunk.
        let index = self.chunk_of(&element).min(self.chunks.len() - 1);
        let chunk = &mut self.chunks[index];
        let Err(at) = chunk.binary_search(&element) else { return false };
        chunk.insert(at, element);
        self.len += 1;
        if chunk.len() > CHUNK_MAX {
            let mut upper = Vec::with_capacity(CHUNK_MAX);
            upper.extend(chunk.drain(CHUNK_MAX / 2..));
            self.lengths.insert(index + 1, length(&upper));
            self.chunks.insert(index + 1, upper);
        }
        self.lengths[index] = length(&self.chunks[index]);
        true
    }

    /// Removes an element; false if there is none.
    pub(super) fn remove(&mut self, element: &T) -> bool {
        let index = self.chunk_of(element);
        let Some(chunk) = self.chunks.get_mut(index) else { return false };
        let Ok(at) = chunk.binary_search(element) else { return false };
        chunk.remove(at);
        self.len -= 1;
        self.lengths[index] = length(chunk);
        if chunk.is_empty() {
            self.drop_chunk(index);
        } else if chunk.len() < CHUNK_MIN {
            self.merge_with_next(index);
        }
        true
    }

    /// How many elements are before this one; `None` if the set lacks it.
    pub(super) fn position(&self, element: &T) -> Option<usize> {
        let index = self.chunk_of(element);
        let at = self.chunks.get(index)?.binary_search(element).ok()?;
        Some(self.before(index) + at)
    }

    /// The elements from a position on.
    pub(super) fn starting_at(&self, position: usize) -> impl Iterator<Item = &T> {
        let (mut index, mut skipped) = (0, 0);
        for length in &self.lengths {
            let next = skipped + *length as usize;
            if next > position {
                break;
            }
            (index, skipped) = (index + 1, next);
        }
        self.chunks[index..].iter().flatten().skip(position - skipped)
    }

    /// The first chunk whose last element is not before this one.
    fn chunk_of(&self, element: &T) -> usize {
        self.chunks.partition_point(|chunk| {
            chunk.last().is_some_and(|last| last.cmp(element) == Ordering::Less)
        })
    }

    /// How many elements are in the chunks before this one.
    fn before(&self, index: usize) -> usize {
        self.lengths[..index].iter().map(|length| *length as usize).sum()
    }

    fn merge_with_next(&mut self, index: usize) {
        let Some(next) = self.chunks.get(index + 1) else { return };
        if self.chunks[index].len() + next.len() > CHUNK_NEW {
            return;
        }
        let next = self.drop_chunk(index + 1);
        self.chunks[index].extend(next);
        self.lengths[index] = length(&self.chunks[index]);
    }

    fn drop_chunk(&mut self, index: usize) -> Vec<T> {
        self.lengths.remove(index);
        self.chunks.remove(index)
    }
}

/// The length of a chunk, which has at most [`CHUNK_MAX`] elements.
fn length<T>(chunk: &[T]) -> u32 {
    u32::try_from(chunk.len()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn elements(ranking: &Ranking<u16>) -> Vec<u16> {
        ranking.starting_at(0).copied().collect()
    }

    fn assert_sound(ranking: &Ranking<u16>) {
        let lengths: Vec<_> = ranking.chunks.iter().map(|chunk| length(chunk)).collect();
        assert_eq!(ranking.lengths, lengths);
        assert!(lengths.iter().all(|length| (1..=CHUNK_MAX).contains(&(*length as usize))));
        assert_eq!(ranking.len, lengths.iter().map(|length| *length as usize).sum::<usize>());
    }

    #[test]
    fn an_empty_ranking_has_no_position() {
        let mut ranking = Ranking::<u16>::from_unsorted(Vec::new());
        assert_eq!((ranking.len(), ranking.position(&1)), (0, None));
        assert_eq!(ranking.starting_at(0).next(), None);
        assert!(!ranking.remove(&1));
        assert!(ranking.insert(1));
        assert!(!ranking.insert(1));
        assert_eq!(ranking.position(&1), Some(0));
        assert!(ranking.remove(&1));
        assert_sound(&ranking);
    }

    #[test]
    fn chunks_are_split_and_merged() {
        let mut ranking = Ranking::from_unsorted(Vec::new());
        for element in 0..5_000_u16 {
            assert!(ranking.insert(element));
        }
        assert_sound(&ranking);
        assert!(ranking.chunks.len() > 5_000 / CHUNK_MAX);
        assert_eq!(ranking.position(&4_321), Some(4_321));
        assert_eq!(
            ranking.starting_at(4_990).copied().collect::<Vec<_>>(),
            (4_990..5_000).collect::<Vec<_>>()
        );
        for element in (0..5_000).filter(|element| element % 20 != 0) {
            assert!(ranking.remove(&element));
        }
        assert_sound(&ranking);
        assert!(ranking.chunks.len() < 6, "{}", ranking.chunks.len());
        assert_eq!(ranking.position(&4_980), Some(249));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn it_is_a_sorted_set_with_positions(
            first in prop::collection::vec(any::<u16>(), 0..2_000),
            steps in prop::collection::vec((any::<bool>(), 0..3_000_u16), 0..3_000),
            probe in 0..3_000_u16,
        ) {
            let mut model: BTreeSet<u16> = first.iter().copied().collect();
            let mut ranking = Ranking::from_unsorted(first);
            for (is_insert, element) in steps {
                if is_insert {
                    prop_assert_eq!(ranking.insert(element), model.insert(element));
                } else {
                    prop_assert_eq!(ranking.remove(&element), model.remove(&element));
                }
            }
            assert_sound(&ranking);
            prop_assert_eq!(ranking.len(), model.len());
            let before = model.range(..probe).count();
            prop_assert_eq!(ranking.position(&probe), model.contains(&probe).then_some(before));
            let page: Vec<_> = model.iter().copied().skip(before).take(15).collect();
            let found: Vec<_> = ranking.starting_at(before).copied().take(15).collect();
            prop_assert_eq!(found, page);
            prop_assert_eq!(elements(&ranking), model.into_iter().collect::<Vec<_>>());
        }
    }
}
