//! The layers around every inbound and every outbound gRPC call.

pub mod client;
pub mod erased_players;
pub mod notifications;
pub mod player_data;
pub mod server;
