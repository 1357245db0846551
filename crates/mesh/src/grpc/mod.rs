//! gRPC on both sides: what surrounds every call that comes in, and every call
//! that goes out.

pub mod client;
pub mod server;
