//! The clients of the mesh: the layers around every outbound gRPC call, and the calls that several
//! services make.

pub mod client;
pub mod erased_players;
pub mod notifications;
pub mod player_data;
