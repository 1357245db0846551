//! Journeys that have the mesh to themselves: they kill its processes, or
//! measure their memory. Each takes [`journeys::Mesh::alone`].

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod bombs;
mod crash;
mod guesses;
mod signing_keys;
