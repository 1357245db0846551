//! Nouns and rules: no clock, no store, no wire.

mod tournament;

pub use tournament::{Tournament, TournamentId};
