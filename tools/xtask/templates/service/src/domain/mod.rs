//! Types and rules: pure, without clock, database or wire types.

mod code;
mod name;
mod {{noun}};

pub(crate) use code::Code;
pub(crate) use name::{InvalidName, Name};
pub(crate) use {{noun}}::{{{Noun}}, {{Noun}}Id};
