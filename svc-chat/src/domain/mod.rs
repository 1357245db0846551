//! Nouns and rules: no clock, no store, no wire.

mod room;

pub use room::Room;
