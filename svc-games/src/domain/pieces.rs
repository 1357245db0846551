//! The pieces of a live run: its page commits one after the other, and learns the seed of a piece
//! only when the one before the last is committed.

use std::fmt;

use time::Duration;

use super::{
    Inputs, Pace, RunRefusal,
    inputs::{MAX_BYTES, MAX_STEPS},
    run::CLOCK_SLACK,
};

/// Most pieces of a run.
const MAX_PIECES: usize = 1_000;
/// How much longer than its steps a live run may take: it may rest for a minute, and wait for the
/// network for another.
const REST: Duration = Duration::minutes(2);
/// How many seeds a page knows beyond the pieces that it has committed: of the piece that is played,
/// and of the next one.
const SEEDS_AHEAD: usize = 2;

/// The key from which the seeds of a live run follow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct PieceKey(pub(crate) [u8; 32]);

/// Omits the key, from which the seeds of all pieces can be computed.
impl fmt::Debug for PieceKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PieceKey")
    }
}

/// The length of a game's pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PieceLength {
    pub(crate) steps: u32,
    pub(crate) pace: Pace,
}

impl PieceLength {
    /// Whether a run has a time, so that its page cannot search for as long as it likes.
    pub(crate) const fn is_in_time(self) -> bool {
        self.pace.is_in_time()
    }

    /// How many pieces the steps of a run reach into.
    pub(crate) fn pieces(self, steps: u64) -> usize {
        usize::try_from(steps.div_ceil(self.steps.into())).unwrap_or(usize::MAX)
    }

    /// When the last step of a piece is due, from the beginning of the run on; `None` in a game of
    /// moves.
    fn due(self, pieces: usize) -> Option<Duration> {
        let pieces = u64::try_from(pieces).unwrap_or(u64::MAX);
        self.pace.duration(pieces.saturating_mul(self.steps.into()))
    }
}

/// Why a piece is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PieceRefusal {
    /// The piece is not the next one, or has other than its steps.
    Invalid,
    /// Other inputs were committed.
    Taken,
    /// The piece came before its steps could be played.
    TooEarly,
    /// The run has rested or waited for too long.
    TooLate,
}

/// What a live run has committed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pieces {
    pub(crate) key: PieceKey,
    /// The inputs of the pieces, as they were committed.
    pub(crate) committed: Vec<Vec<u8>>,
}

impl Pieces {
    /// How many seeds the page knows.
    pub(crate) fn seeds(&self) -> usize {
        Self::given_by(self.committed.len())
    }

    /// The number of the piece whose seed a committed piece gives.
    pub(crate) fn given_by(index: usize) -> usize {
        index.saturating_add(SEEDS_AHEAD)
    }

    /// Whether a run was begun and not played: its first piece is late by half of the run's rest.
    pub(crate) fn is_unplayed(&self, length: PieceLength, elapsed: Duration) -> bool {
        let is_late = length.due(1).is_some_and(|due| elapsed > due + REST / 2);
        self.committed.is_empty() && is_late
    }

    /// Whether the run takes a piece at a time after its beginning; false if it has it already.
    pub(crate) fn takes(
        &self,
        index: usize,
        inputs: &Inputs,
        length: PieceLength,
        elapsed: Duration,
    ) -> Result<bool, PieceRefusal> {
        if let Some(committed) = self.committed.get(index) {
            let is_same = committed == inputs.bytes();
            return if is_same { Ok(false) } else { Err(PieceRefusal::Taken) };
        }
        let is_next = index == self.committed.len() && index < MAX_PIECES;
        let is_whole = inputs.steps() == u64::from(length.steps);
        if !is_next || !is_whole || !self.has_room(inputs, length) {
            return Err(PieceRefusal::Invalid);
        }
        match length.due(index + 1) {
            Some(due) if elapsed + CLOCK_SLACK < due => Err(PieceRefusal::TooEarly),
            Some(due) if elapsed > due + REST => Err(PieceRefusal::TooLate),
            _ => Ok(true),
        }
    }

    /// Whether the run stays within the limits of inputs with another piece.
    fn has_room(&self, inputs: &Inputs, length: PieceLength) -> bool {
        let bytes: usize = self.committed.iter().map(Vec::len).sum();
        let pieces = u64::try_from(self.committed.len() + 1).unwrap_or(u64::MAX);
        let steps = pieces.saturating_mul(length.steps.into());
        bytes + inputs.bytes().len() <= MAX_BYTES && steps <= MAX_STEPS
    }

    /// Returns the inputs that count of a run that was submitted: all, or the committed ones once the
    /// run has rested or waited for too long.
    pub(crate) fn counted(
        &self,
        submitted: &Inputs,
        length: PieceLength,
        elapsed: Duration,
    ) -> Result<Inputs, RunRefusal> {
        // A piece is committed only if the inputs of all can be parsed.
        let committed =
            Inputs::parse(self.committed.concat()).map_err(|_| RunRefusal::OtherInputs)?;
        if !submitted.begins_with(&committed) {
            return Err(RunRefusal::OtherInputs);
        }
        if length.pieces(submitted.steps()) > self.seeds() {
            return Err(RunRefusal::BeyondPieces);
        }
        match length.pace.duration(submitted.steps()) {
            Some(played) if elapsed > played + REST => Ok(committed),
            _ => Ok(submitted.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces of five seconds.
    const LENGTH: PieceLength = PieceLength { steps: 300, pace: Pace::new(60) };
    const OF_MOVES: PieceLength = PieceLength { steps: 1, pace: Pace::new(0) };
    /// 300 steps of input 0 and of input 1.
    const ZEROS: [u8; 3] = [0xac, 0x02, 0];
    const ONES: [u8; 3] = [0xac, 0x02, 1];

    fn run(committed: &[&[u8]]) -> Pieces {
        let committed = committed.iter().map(|piece| piece.to_vec()).collect();
        Pieces { key: PieceKey([0; 32]), committed }
    }

    fn inputs(bytes: &[u8]) -> Inputs {
        Inputs::parse(bytes.to_vec()).unwrap()
    }

    fn takes(run: &Pieces, index: usize, bytes: &[u8], seconds: i64) -> Result<bool, PieceRefusal> {
        run.takes(index, &inputs(bytes), LENGTH, Duration::seconds(seconds))
    }

    #[test]
    fn pieces_are_taken_once_and_in_order() {
        let run = run(&[&ZEROS]);
        assert_eq!(takes(&run, 1, &ONES, 10), Ok(true));
        assert_eq!(takes(&run, 0, &ZEROS, 10), Ok(false), "a repeat");
        assert_eq!(takes(&run, 0, &ONES, 10), Err(PieceRefusal::Taken));
        assert_eq!(takes(&run, 2, &ONES, 15), Err(PieceRefusal::Invalid), "a piece is left out");
        assert_eq!(takes(&run, 1, &[1, 0], 10), Err(PieceRefusal::Invalid), "a step of 300");
    }

    #[test]
    fn a_piece_takes_the_time_of_its_steps() {
        let run = run(&[&ZEROS]);
        assert_eq!(takes(&run, 1, &ONES, 7), Err(PieceRefusal::TooEarly));
        assert_eq!(takes(&run, 1, &ONES, 8), Ok(true));
        assert_eq!(takes(&run, 1, &ONES, 130), Ok(true));
        assert_eq!(takes(&run, 1, &ONES, 131), Err(PieceRefusal::TooLate));
        let move_ = run.takes(1, &inputs(&[1, 4]), OF_MOVES, Duration::ZERO);
        assert_eq!(move_, Ok(true), "moves take any time");
    }

    #[test]
    fn a_run_whose_first_piece_is_late_was_not_played() {
        let unplayed = |run: &Pieces, seconds| run.is_unplayed(LENGTH, Duration::seconds(seconds));
        assert!(!unplayed(&run(&[]), 65));
        assert!(unplayed(&run(&[]), 66));
        assert!(!unplayed(&run(&[&ZEROS]), 66));
        assert!(!run(&[]).is_unplayed(OF_MOVES, Duration::HOUR), "moves take any time");
    }

    #[test]
    fn a_run_has_at_most_a_thousand_pieces() {
        let piece: &[u8] = &[1, 4];
        let full = run(&vec![piece; MAX_PIECES]);
        let next = full.takes(MAX_PIECES, &inputs(piece), OF_MOVES, Duration::ZERO);
        assert_eq!(next, Err(PieceRefusal::Invalid));
    }

    #[test]
    fn all_pieces_of_a_run_are_within_the_limits_of_inputs() {
        // Another input at each step takes 600 bytes a piece.
        let piece = [1, 0, 1, 1].repeat(150);
        let most = MAX_BYTES / piece.len();
        let taken = |count: usize| {
            let run = run(&vec![piece.as_slice(); count]);
            run.takes(count, &inputs(&piece), LENGTH, LENGTH.due(count + 1).unwrap())
        };
        assert_eq!(taken(most - 1), Ok(true));
        assert_eq!(taken(most), Err(PieceRefusal::Invalid));
    }

    #[test]
    fn a_submitted_run_begins_with_what_was_committed() {
        let run = run(&[&ZEROS]);
        let counted =
            |bytes: &[u8], seconds| run.counted(&inputs(bytes), LENGTH, Duration::seconds(seconds));
        let whole = [ZEROS.as_slice(), &ONES].concat();
        assert_eq!(counted(&whole, 10), Ok(inputs(&whole)));
        let other = [ONES.as_slice(), &ONES].concat();
        assert_eq!(counted(&other, 10), Err(RunRefusal::OtherInputs));
        assert_eq!(counted(&[10, 0], 10), Err(RunRefusal::OtherInputs), "a piece is missing");
        let beyond = [whole.as_slice(), &ZEROS, &[1, 0]].concat();
        assert_eq!(counted(&beyond, 20), Err(RunRefusal::BeyondPieces));
    }

    #[test]
    fn of_a_run_that_rested_too_long_the_committed_pieces_count() {
        let run = run(&[&ZEROS]);
        let whole = inputs(&[ZEROS.as_slice(), &ONES].concat());
        let counted = |seconds| run.counted(&whole, LENGTH, Duration::seconds(seconds));
        assert_eq!(counted(130), Ok(whole.clone()));
        assert_eq!(counted(131), Ok(inputs(&ZEROS)));
    }
}
