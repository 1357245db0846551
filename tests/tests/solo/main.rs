//! Journeys with exclusive access to the mesh, by [`journeys::Mesh::alone`]: they kill
//! its processes, measure their memory, or change the sandbox for all players.

#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

mod bank;
mod crash;
mod data_copy;
mod failover;
mod guessing;
mod hostile_uploads;
mod notifications;
mod signing_keys;
mod storm;
mod tournament_night;
