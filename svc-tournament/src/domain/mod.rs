//! Types and rules: pure, without clock, database or wire types.

mod tournament;

pub(crate) use tournament::{Tournament, TournamentId};
