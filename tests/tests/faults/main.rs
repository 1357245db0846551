//! Tests of the mesh while its processes fail or are restarted. `cargo xtask faults` starts a mesh
//! for these tests and runs them; they take minutes, so `cargo test` ignores them.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a failed step fails the test")]

mod capability;
mod contract;
mod crowd;
mod fault;
mod flood;
mod load;
mod messages;
mod probing;
mod report;
mod rolling;
mod row;
mod samples;
mod soak;
mod streams;
mod table;
mod top_ups;
