//! Decides whether a submitted run counts, is held or is refused.

use strum::{Display, EnumString, IntoStaticStr};
use time::Duration;

use super::{Inputs, Pace};

/// How much faster than the clock a run may be: clocks differ, and a browser catches up.
pub(super) const CLOCK_SLACK: Duration = Duration::seconds(2);
/// Most actions a second over a whole run: fast tapping with two thumbs is at 12 to 15.
const ACTIONS_PER_SECOND: i64 = 20;
/// A run of fewer actions is too short to judge their rate.
const FEW_ACTIONS: u64 = 40;
/// From this number of actions on, the inputs of two players do not coincide by chance. In a game
/// in time each action agrees in the tick at which it begins and in how long it lasts: at best one
/// time in ten each, so 10^-20 for a pair of runs. In a game of moves players of equal skill choose
/// the same move perhaps six times in ten: 10^-9 for a pair of runs.
const COMPARABLE_ACTIONS: u64 = 20;
const COMPARABLE_MOVES: u64 = 40;

/// How a score is proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumString)]
pub(crate) enum Trust {
    /// The run was replayed.
    Proven,
    /// The game's own server signed the result.
    Signed,
    /// The run was neither replayed nor signed: the score is the player's claim.
    Claimed,
    /// The replay proved the run, but it looks inhuman or copied: an operator decides.
    Held,
}

/// Why a run is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumString, IntoStaticStr)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum RunRefusal {
    /// The replay gives other points.
    OtherPoints,
    /// There are inputs left when the run is over.
    InputsAfterEnd,
    /// The inputs end before the run does.
    NotOver,
    /// A live run does not begin with the pieces that it has committed.
    OtherInputs,
    /// A live run has steps of a piece whose seed its page did not get.
    BeyondPieces,
    /// The rules do not allow an input.
    InputNotAllowed,
    /// The run had more ticks than the time since its session started.
    FasterThanTime,
    /// The replay needed more fuel than a run may use.
    OutOfFuel,
    /// The rules module failed.
    RulesFailed,
    /// The signature is not one of the game's server over this session and these points.
    BadSignature,
}

/// A run as it was submitted, to be compared with its replay.
pub(crate) struct Submission<'a> {
    pub(crate) inputs: &'a Inputs,
    /// The points that the browser counted; `None` for a part of the run that it played.
    pub(crate) points: Option<i32>,
    /// Time from the start of the session to the submission.
    pub(crate) elapsed: Duration,
}

impl Submission<'_> {
    /// Refuses a run that is faster than the clock, before its replay.
    pub(crate) fn check_time(&self, pace: Pace) -> Result<(), RunRefusal> {
        match pace.duration(self.inputs.steps()) {
            Some(played) if played > self.elapsed + CLOCK_SLACK => Err(RunRefusal::FasterThanTime),
            _ => Ok(()),
        }
    }

    /// Compares the submission with the points that its replay gave.
    pub(crate) fn trust(&self, pace: Pace, proven: i32) -> Result<Trust, RunRefusal> {
        if self.points.is_some_and(|points| points != proven) {
            return Err(RunRefusal::OtherPoints);
        }
        let actions = self.inputs.actions(pace.is_in_time());
        let seconds = self.elapsed.whole_seconds().max(1);
        let most = u64::try_from(seconds * ACTIONS_PER_SECOND).unwrap_or(0);
        let inhuman = actions > FEW_ACTIONS && actions > most;
        Ok(if inhuman { Trust::Held } else { Trust::Proven })
    }

    /// Whether a player with the same inputs must have copied them.
    pub(crate) fn is_comparable(&self, pace: Pace) -> bool {
        let from = if pace.is_in_time() { COMPARABLE_ACTIONS } else { COMPARABLE_MOVES };
        self.inputs.actions(pace.is_in_time()) >= from
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IN_TIME: Pace = Pace::new(60);
    const OF_MOVES: Pace = Pace::new(0);

    fn check(pairs: &[(u8, u8)], seconds: i64, pace: Pace) -> Result<Trust, RunRefusal> {
        let bytes = pairs.iter().flat_map(|&(steps, input)| [steps, input]).collect();
        let inputs = Inputs::parse(bytes).unwrap();
        let submission =
            Submission { inputs: &inputs, points: Some(7), elapsed: Duration::seconds(seconds) };
        submission.check_time(pace)?;
        submission.trust(pace, 7)
    }

    #[test]
    fn a_run_as_long_as_its_time_is_proven() {
        assert_eq!(check(&[(120, 0), (120, 1)], 4, IN_TIME), Ok(Trust::Proven));
    }

    #[test]
    fn a_run_may_be_two_seconds_faster_than_the_clock() {
        assert_eq!(check(&[(120, 0), (120, 1)], 2, IN_TIME), Ok(Trust::Proven));
        assert_eq!(check(&[(120, 0), (121, 1)], 2, IN_TIME), Err(RunRefusal::FasterThanTime));
        assert_eq!(check(&[(120, 1)], 0, OF_MOVES), Ok(Trust::Held));
    }

    #[test]
    fn other_points_than_the_proven_are_refused() {
        let inputs = Inputs::parse(vec![60, 0]).unwrap();
        for points in [6, 8, i32::MIN, i32::MAX] {
            let points = Some(points);
            let submission = Submission { inputs: &inputs, points, elapsed: Duration::SECOND };
            assert_eq!(submission.trust(IN_TIME, 7), Err(RunRefusal::OtherPoints), "{points:?}");
        }
    }

    #[test]
    fn actions_faster_than_thumbs_are_held() {
        let taps = |count: usize| [(1, 1), (1, 0)].repeat(count);
        assert_eq!(check(&taps(100), 6, IN_TIME), Ok(Trust::Proven));
        assert_eq!(check(&taps(121), 6, IN_TIME), Ok(Trust::Held));
        assert_eq!(check(&taps(40), 1, IN_TIME), Ok(Trust::Proven), "too few to say");
    }
}
