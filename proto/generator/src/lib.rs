//! Generates `proto/src/gen/`; the code is in the test `generated`.
//!
//! It is a crate of its own so that it builds even when the generated code of
//! `proto` does not compile.
