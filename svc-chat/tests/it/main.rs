//! svc-chat over gRPC, each test with a database of its own.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a failed step fails the test")]

mod cancellation;
mod content;
mod erasure;
mod feedback;
mod harness;
mod lame_duck;
mod media;
mod members;
mod mentions;
mod messages;
mod notifications;
mod notify;
mod player_data;
mod players;
mod presence;
mod push;
mod room_stream;
mod rooms;
mod safety;
mod schema;
mod sending;
mod slow_reader;
mod talk;
mod unread;
mod watch;
