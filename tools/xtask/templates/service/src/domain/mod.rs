//! Nouns and rules: no clock, no store, no wire.

mod {{noun}};

pub use {{noun}}::{{{Noun}}, {{Noun}}Id};
