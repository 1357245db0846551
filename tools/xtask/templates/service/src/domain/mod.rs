//! Nouns and rules: no clock, no store, no wire.

mod {{noun}};

pub(crate) use {{noun}}::{{{Noun}}, {{Noun}}Id};
