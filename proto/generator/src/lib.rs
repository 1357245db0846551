//! Writes `proto/src/gen/`; see the test `generated`.
//!
//! A crate of its own, because what generates `proto` must build when what it
//! last generated no longer does.
