//! Nouns and rules: no clock, no store, no wire.

mod game;

pub use game::{Game, GameId};
