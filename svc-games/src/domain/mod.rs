//! Types and rules: pure, without clock, database or wire types.

mod game;

pub(crate) use game::{Game, GameId};
