//! Replays a run.

use thiserror::Error;
use wasmtime::Trap;

use super::rules::{RulesModule, Run};
use crate::domain::{Answer, Inputs, RunRefusal};

/// What `step` returns.
const GO_ON: i32 = 0;
const OVER: i32 = 1;

/// Why a run has no score.
#[derive(Debug, Error)]
pub(crate) enum ReplayError {
    /// The run breaks the rules.
    #[error("{0}")]
    Refused(RunRefusal),
    /// All workers are busy and the queue is full.
    #[error("too many runs wait for their replay")]
    Busy,
    /// An internal fault.
    #[error("{0}")]
    Failed(#[source] anyhow::Error),
}

impl RulesModule {
    /// Replays the inputs with the seeds of the run's pieces, and returns the points. A run with
    /// pieces may end before the game is over. Blocks for as long as the run has fuel: half a second
    /// at most.
    pub(crate) fn replay(
        &self,
        seeds: &[i64],
        level: i32,
        inputs: &Inputs,
    ) -> Result<i32, ReplayError> {
        let mut run = self.play(seeds, level, inputs, |_| Ok(()))?;
        run.score.call(&mut run.store, ()).map_err(refusal)
    }

    /// Replays a run as `replay` does, and returns what the player answered; nothing by rules that do
    /// not say it.
    pub(crate) fn answers(
        &self,
        seeds: &[i64],
        level: i32,
        inputs: &Inputs,
    ) -> Result<Vec<Answer>, ReplayError> {
        let mut answers = Vec::new();
        self.play(seeds, level, inputs, |run| {
            let Some((kind, ticks)) = &run.answered else { return Ok(()) };
            let kind = kind.call(&mut run.store, ()).map_err(refusal)?;
            if kind != 0 {
                let ticks = ticks.call(&mut run.store, ()).map_err(refusal)?;
                answers.push(Answer { kind, ticks });
            }
            Ok(())
        })?;
        Ok(answers)
    }

    /// Plays a run to its end, and calls `stepped` after each step.
    fn play(
        &self,
        seeds: &[i64],
        level: i32,
        inputs: &Inputs,
        mut stepped: impl FnMut(&mut Run) -> Result<(), ReplayError>,
    ) -> Result<Run, ReplayError> {
        let mut run = self.begin().map_err(|error| ReplayError::Failed(error.into()))?;
        let mut seeds = seeds.iter();
        let first = *seeds.next().ok_or(ReplayError::Refused(RunRefusal::BeyondPieces))?;
        run.init.call(&mut run.store, (first, level)).map_err(refusal)?;
        let mut over = false;
        let mut until_piece = self.piece_steps;
        for repeated in inputs.runs() {
            if !(0..self.inputs).contains(&repeated.input) {
                return Err(ReplayError::Refused(RunRefusal::InputNotAllowed));
            }
            for _ in 0..repeated.steps {
                if over {
                    return Err(ReplayError::Refused(RunRefusal::InputsAfterEnd));
                }
                if let (Some(feed), Some(0)) = (&run.feed, until_piece) {
                    let seed =
                        seeds.next().ok_or(ReplayError::Refused(RunRefusal::BeyondPieces))?;
                    feed.call(&mut run.store, *seed).map_err(refusal)?;
                    until_piece = self.piece_steps;
                }
                until_piece = until_piece.map(|steps| steps.saturating_sub(1));
                match run.step.call(&mut run.store, repeated.input).map_err(refusal)? {
                    GO_ON => {}
                    OVER => over = true,
                    _ => return Err(ReplayError::Refused(RunRefusal::InputNotAllowed)),
                }
                stepped(&mut run)?;
            }
        }
        if !over && self.piece_steps.is_none() {
            return Err(ReplayError::Refused(RunRefusal::NotOver));
        }
        Ok(run)
    }
}

/// Refuses the run of a module that traps, not the module: it may still prove other runs.
fn refusal(error: wasmtime::Error) -> ReplayError {
    ReplayError::Refused(match error.downcast_ref() {
        Some(Trap::OutOfFuel) => RunRefusal::OutOfFuel,
        _ => RunRefusal::RulesFailed,
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A game of ten ticks: input 1 scores the low bit of the seed plus one, input 2 is
    /// not allowed, and level 9 never returns.
    pub(in crate::proof) fn counter() -> &'static str {
        include_str!("../../tests/it/counter.wat")
    }

    /// A game of twenty ticks with pieces of ten: the seed of a piece decides what its ticks score.
    pub(in crate::proof) fn live_counter() -> &'static str {
        include_str!("../../tests/it/live_counter.wat")
    }

    fn replay(seed: i64, level: i32, pairs: &[u8]) -> Result<i32, RunRefusal> {
        replay_by(counter(), &[seed], level, pairs)
    }

    fn replay_by(module: &str, seeds: &[i64], level: i32, pairs: &[u8]) -> Result<i32, RunRefusal> {
        let rules = RulesModule::new(&wat::parse_str(module).unwrap()).unwrap();
        rules.replay(seeds, level, &Inputs::parse(pairs.to_vec()).unwrap()).map_err(|error| {
            match error {
                ReplayError::Refused(refusal) => refusal,
                other => panic!("{other}"),
            }
        })
    }

    #[test]
    fn each_piece_has_its_seed() {
        let replay = |seeds: &[i64], pairs: &[u8]| replay_by(live_counter(), seeds, 0, pairs);
        assert_eq!(replay(&[1, 2], &[20, 1]), Ok(30));
        assert_eq!(replay(&[2, 1], &[10, 0, 10, 1]), Ok(20));
        assert_eq!(replay(&[2, 1], &[12, 1]), Ok(14), "a run that ends early");
        assert_eq!(replay(&[2], &[10, 1]), Ok(10), "the next piece has not begun");
        assert_eq!(replay(&[2], &[11, 1]), Err(RunRefusal::BeyondPieces));
        assert_eq!(replay(&[2, 1], &[21, 1]), Err(RunRefusal::InputsAfterEnd));
    }

    #[test]
    fn the_points_follow_from_seed_and_inputs() {
        assert_eq!(replay(1, 0, &[4, 0, 6, 1]), Ok(12));
        assert_eq!(replay(2, 0, &[4, 0, 6, 1]), Ok(6));
        assert_eq!(replay(1, 0, &[10, 0]), Ok(0));
    }

    #[test]
    fn runs_that_break_the_rules_are_refused() {
        assert_eq!(replay(1, 0, &[9, 0]), Err(RunRefusal::NotOver));
        assert_eq!(replay(1, 0, &[]), Err(RunRefusal::NotOver));
        assert_eq!(replay(1, 0, &[11, 0]), Err(RunRefusal::InputsAfterEnd));
        assert_eq!(replay(1, 0, &[1, 2, 9, 0]), Err(RunRefusal::InputNotAllowed));
        assert_eq!(replay(1, 0, &[10, 3]), Err(RunRefusal::InputNotAllowed));
    }

    #[test]
    fn a_run_without_end_runs_out_of_fuel() {
        assert_eq!(replay(1, 9, &[10, 0]), Err(RunRefusal::OutOfFuel));
    }

    #[test]
    fn a_trap_refuses_the_run() {
        assert_eq!(replay(1, 8, &[10, 0]), Err(RunRefusal::RulesFailed));
    }
}
