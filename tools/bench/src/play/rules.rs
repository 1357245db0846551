//! Plays and replays runs by a rules module, as svc-games replays them: with fuel.

use std::collections::VecDeque;

use anyhow::{Context as _, Result, ensure};
use wasmtime::{Config, Engine, Instance, Memory, Module, Store, TypedFunc};

/// Fuel of a run, as svc-games gives it.
const FUEL: u64 = 500_000_000;
/// The values that `step` returns.
const GO_ON: i32 = 0;
const OVER: i32 = 1;
/// Bytes of a word of the state.
const WORD: usize = 4;

/// A compiled rules module. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Rules(Module);

/// A run that is being played.
pub(crate) struct Playing {
    store: Store<()>,
    step: TypedFunc<i32, i32>,
    score: TypedFunc<(), i32>,
    memory: Memory,
    /// The address of the state.
    state: usize,
    inputs: Vec<(u32, i32)>,
    over: bool,
    pieces: Option<Pieces>,
}

/// The pieces of a live run.
struct Pieces {
    feed: TypedFunc<i64, ()>,
    steps: u32,
    /// The seeds of the pieces after the one that is played.
    seeds: VecDeque<i64>,
    /// The steps that are left in the piece.
    left: u32,
}

/// A run that is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Run {
    /// Pairs of a number of steps and the input of all these steps.
    pub(crate) inputs: Vec<(u32, i32)>,
    pub(crate) points: i32,
}

impl Rules {
    /// Compiles a module.
    pub(crate) fn new(bytes: &[u8]) -> Result<Self> {
        let mut config = Config::default();
        config.consume_fuel(true);
        Ok(Self(Module::new(&Engine::new(&config)?, bytes)?))
    }

    /// Begins a run with the seeds of its pieces.
    pub(crate) fn begin(&self, seeds: &[i64]) -> Result<Playing> {
        let (seed, next) = seeds.split_first().context("a run without a seed")?;
        let mut store = Store::new(self.0.engine(), ());
        store.set_fuel(FUEL)?;
        let instance = Instance::new(&mut store, &self.0, &[])?;
        let init = instance.get_typed_func::<(i64, i32), ()>(&mut store, "init")?;
        let state = instance.get_typed_func::<(), i32>(&mut store, "state")?;
        init.call(&mut store, (*seed, 0))?;
        let pieces = match instance.get_typed_func::<(), i32>(&mut store, "piece_steps") {
            Ok(piece_steps) => {
                let steps = piece_steps.call(&mut store, ())?.unsigned_abs();
                let feed = instance.get_typed_func(&mut store, "feed")?;
                Some(Pieces { feed, steps, seeds: next.iter().copied().collect(), left: steps })
            }
            Err(_) => None,
        };
        let state = usize::try_from(state.call(&mut store, ())?)?;
        Ok(Playing {
            step: instance.get_typed_func(&mut store, "step")?,
            score: instance.get_typed_func(&mut store, "score")?,
            memory: instance.get_memory(&mut store, "memory").context("rules without memory")?,
            store,
            state,
            inputs: Vec::new(),
            over: false,
            pieces,
        })
    }

    /// Replays a run and returns its points.
    pub(crate) fn replay(&self, seeds: &[i64], run: &Run) -> Result<i32> {
        let mut playing = self.begin(seeds)?;
        for &(steps, input) in &run.inputs {
            for _ in 0..steps {
                playing.call_step(input)?;
            }
        }
        Ok(playing.score.call(&mut playing.store, ())?)
    }
}

impl Playing {
    /// Plays one step; false when the run is over.
    pub(crate) fn step(&mut self, input: i32) -> Result<bool> {
        let returned = self.call_step(input)?;
        ensure!(returned == GO_ON || returned == OVER, "the rules do not allow input {input}");
        match self.inputs.last_mut() {
            Some((steps, same)) if *same == input => *steps += 1,
            _ => self.inputs.push((1, input)),
        }
        self.over = returned == OVER;
        Ok(!self.over)
    }

    fn call_step(&mut self, input: i32) -> Result<i32> {
        if let Some(pieces) = &mut self.pieces {
            if pieces.left == 0 {
                let seed = pieces.seeds.pop_front().context("the next piece has no seed")?;
                pieces.feed.call(&mut self.store, seed)?;
                pieces.left = pieces.steps;
            }
            pieces.left -= 1;
        }
        Ok(self.step.call(&mut self.store, input)?)
    }

    /// A word of the state; 0 behind its end.
    pub(crate) fn word(&self, index: usize) -> i32 {
        let at = self.state + index * WORD;
        let bytes = self.memory.data(&self.store).get(at..at + WORD);
        bytes.and_then(|bytes| bytes.try_into().ok()).map_or(0, i32::from_le_bytes)
    }

    /// The run, once it is over; a live run may end before.
    pub(crate) fn finish(mut self) -> Result<Run> {
        ensure!(self.over || self.pieces.is_some(), "the run is not over");
        let points = self.score.call(&mut self.store, ())?;
        Ok(Run { inputs: self.inputs, points })
    }
}

impl Run {
    /// The number of steps of the run.
    pub(crate) fn steps(&self) -> u32 {
        self.inputs.iter().map(|(steps, _)| steps).sum()
    }

    /// The inputs as pairs of LEB128 varints `(steps, input)`, as the API has them.
    pub(crate) fn encoded(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for &(steps, input) in &self.inputs {
            varint(&mut bytes, steps);
            varint(&mut bytes, input.unsigned_abs());
        }
        bytes
    }
}

fn varint(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.extend(u8::try_from(value & 0x7f | 0x80));
        value >>= 7;
    }
    bytes.extend(u8::try_from(value));
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    #[test]
    fn a_replay_gives_the_points_of_the_run() {
        let rules = Rules::new(&crate::play::content::trivial().unwrap()).unwrap();
        let mut playing = rules.begin(&[7]).unwrap();
        let mut tick = 0;
        loop {
            tick += 1;
            if !playing.step(i32::from(tick > 6)).unwrap() {
                break;
            }
        }
        let run = playing.finish().unwrap();
        assert_eq!((run.points, run.steps(), run.encoded()), (4, 10, vec![6, 0, 4, 1]));
        assert_eq!(rules.replay(&[7], &run).unwrap(), 4);
    }

    #[test]
    fn long_stretches_have_varints_of_several_bytes() {
        let run = Run { inputs: vec![(300, 0), (1, 2)], points: 0 };
        assert_eq!(run.encoded(), [0xac, 0x02, 0, 1, 2]);
    }
}
