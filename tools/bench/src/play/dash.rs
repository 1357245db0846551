//! A bot that plays Duma Dash by the state of its rules, as the bot of the game's own
//! tests does (`games/duma-dash/test/bot.ts`), and stops when the run is as long as wanted.

use anyhow::Result;

use super::rules::{Playing, Rules, Run};
use crate::random::SplitMix64;

// Words of the state (`games/duma-dash/src/state.ts`). Lengths are units, or 1/256 of one.
const DISTANCE: usize = 1;
const Y: usize = 2;
const VY: usize = 3;
const SPEED: usize = 4;
const SLIDE: usize = 5;
const JUMPS: usize = 12;
const HEADER: usize = 20;
const OBSTACLES: usize = 10;
const OBSTACLE_WORDS: usize = 6;
// Words of an obstacle.
const LEFT: usize = 1;
const WIDTH: usize = 2;
const HIGH: usize = 4;
const CLEARANCE: usize = 5;
// Kinds of obstacles.
const TALL_MOUND: i32 = 2;
const NESTS: i32 = 4;
const BIRD: i32 = 5;
const WATER: i32 = 6;
/// How far a bird flies in a tick, in 1/256 units.
const BIRD_SPEED: i32 = 300;

const NOTHING: i32 = 0;
const JUMP: i32 = 1;
const DUCK: i32 = 2;

/// Ticks before an obstacle at which the bot means to jump.
const LEAD: i32 = 7;
/// By how many ticks the bot misses that time, at most.
const ERROR: i32 = 1;

/// A bot whose jumps are early or late at random, differently for each `noise`.
struct Bot {
    random: SplitMix64,
    seen: (i32, usize, i32),
    offset: i32,
}

/// Plays a run of `ticks` ticks; a shorter one where the course was too hard.
pub(crate) fn play(rules: &Rules, seeds: &[i64], noise: u64, ticks: u32) -> Result<Run> {
    let mut bot = Bot { random: SplitMix64::new(noise), seen: (0, 0, 0), offset: 0 };
    let mut playing = rules.begin(seeds)?;
    for _ in 0..ticks {
        let input = bot.next(&playing);
        if !playing.step(input)? {
            break;
        }
    }
    playing.finish()
}

impl Bot {
    fn next(&mut self, playing: &Playing) -> i32 {
        let at = |index: usize| playing.word(index);
        let Some(slot) = nearest(playing) else { return NOTHING };
        let kind = at(slot);
        let id = (at(slot + WIDTH), slot, kind);
        if id != self.seen {
            self.seen = id;
            let span = u64::from((2 * ERROR + 1).unsigned_abs());
            self.offset = i32::try_from(self.random.below(span)).unwrap_or(0) - ERROR;
        }
        let speed = at(SPEED) + if kind == BIRD { BIRD_SPEED } else { 0 };
        let ticks = (at(slot + LEFT) - at(DISTANCE) - (24 << 8)).div_euclid(speed.max(1));
        let lead = LEAD + self.offset;
        let (jumps, vy) = (at(JUMPS), at(VY));
        match kind {
            NESTS | BIRD if ticks > lead + 2 => NOTHING,
            NESTS | BIRD if jumps > 0 && vy > -3000 && ticks < 12 => DUCK,
            NESTS | BIRD if jumps == 0 && at(SLIDE) < 8 => DUCK,
            NESTS | BIRD => NOTHING,
            TALL_MOUND if jumps == 0 && ticks < lead + 5 => JUMP,
            TALL_MOUND if jumps == 1 && vy < 1200 && ticks < 8 => JUMP,
            TALL_MOUND => NOTHING,
            WATER if jumps == 0 && ticks < lead - 3 => JUMP,
            _ if kind != WATER && jumps == 0 && ticks < lead => JUMP,
            // The jump is too short, and a second jump saves it.
            _ if jumps == 1 && vy < -1400 && at(Y) >> 8 < at(slot + HIGH) + 45 && ticks < 6 => JUMP,
            _ => NOTHING,
        }
    }
}

/// The first word of the next obstacle.
fn nearest(playing: &Playing) -> Option<usize> {
    let here = playing.word(DISTANCE);
    let slots = (0..OBSTACLES).map(|slot| HEADER + slot * OBSTACLE_WORDS);
    let ahead = slots.filter(|&slot| {
        let right = playing.word(slot + LEFT) + (playing.word(slot + WIDTH) << 8);
        let is_there = playing.word(slot) != 0 && playing.word(slot + CLEARANCE) >= 0;
        is_there && right >= here - (20 << 8)
    });
    ahead.min_by_key(|&slot| playing.word(slot + LEFT))
}
