//! Proof of play: rules modules in WebAssembly, and the replay of runs by them.
//!
//! A rules module has no clock, no imports and no floats, so a browser and this process
//! get the same score from the same seed and inputs.

mod replay;
mod rules;
mod seeds;
mod signature;
mod ticket;
mod workers;

pub(crate) use replay::ReplayError;
use rules::InvalidRules;
pub(crate) use rules::RulesModule;
pub(crate) use seeds::{piece_seed, seeds};
pub(crate) use ticket::Ticket;
pub(crate) use workers::Workers;
