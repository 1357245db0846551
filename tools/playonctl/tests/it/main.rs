//! `playonctl` against the services that own content.

#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

mod content;
mod demo;
mod harness;
