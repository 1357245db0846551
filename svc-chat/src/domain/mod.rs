//! Types and rules: pure, without clock, database or wire types.

mod room;

pub(crate) use room::Room;
