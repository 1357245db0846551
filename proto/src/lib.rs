//! The contract of the mesh: what the `.proto` files say, as Rust.
//!
//! `src/gen/` is written by `cargo xtask proto` and committed; the test
//! `generated` fails when it no longer matches the contract. Beside it stand
//! the conversions between the wire's words and [`types`].

mod convert;

pub use convert::{Absent, from_timestamp, money, timestamp};

/// Everything about every message and service, for gRPC reflection.
pub const DESCRIPTOR: &[u8] = include_bytes!("gen/descriptor.bin");

/// Shared by all packages.
pub mod types {
    #![allow(missing_docs, clippy::all, reason = "generated")]
    pub mod v1 {
        include!("gen/playon.types.v1.rs");
    }
}

/// svc-auth: identity and the player.
pub mod auth {
    #![allow(missing_docs, clippy::all, reason = "generated")]
    pub mod v1 {
        include!("gen/playon.auth.v1.rs");
    }
}

/// svc-wallet: money.
pub mod wallet {
    #![allow(missing_docs, clippy::all, reason = "generated")]
    pub mod v1 {
        include!("gen/playon.wallet.v1.rs");
    }
}

/// svc-games: what can be played.
pub mod games {
    #![allow(missing_docs, clippy::all, reason = "generated")]
    pub mod v1 {
        include!("gen/playon.games.v1.rs");
    }
}

/// svc-tournament: contests.
pub mod tournament {
    #![allow(missing_docs, clippy::all, reason = "generated")]
    pub mod v1 {
        include!("gen/playon.tournament.v1.rs");
    }
}

/// svc-chat: talk.
pub mod chat {
    #![allow(missing_docs, clippy::all, reason = "generated")]
    pub mod v1 {
        include!("gen/playon.chat.v1.rs");
    }
}

/// The gateway's live streams to browsers.
pub mod live {
    #![allow(missing_docs, clippy::all, reason = "generated")]
    pub mod v1 {
        include!("gen/playon.live.v1.rs");
    }
}
