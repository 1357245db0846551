//! The contract of the mesh: the Rust code generated from `proto/playon`.
//!
//! `cargo xtask proto` writes `src/gen/`, which is committed; the test `generated`
//! fails when it does not match the `.proto` files. The crate also has the
//! conversions between messages and [`types`].

mod codec;
mod convert;
mod rpc;

pub use codec::{EncodedCodec, EncodedEncoder, SmallCodec, encode};
pub use convert::{Absent, from_timestamp, money, timestamp};
pub use rpc::{Access, Priority, RPCS, Rpc};

/// The encoded `FileDescriptorSet` of all packages, for gRPC reflection.
pub const DESCRIPTOR: &[u8] = include_bytes!("gen/descriptor.bin");

/// Messages that several packages use.
pub mod types {
    #![allow(missing_docs, clippy::all, reason = "generated")]
    pub mod v1 {
        include!("gen/playon.types.v1.rs");
    }
}

/// svc-auth: sign-in, sessions, profiles and keys.
pub mod auth {
    #![allow(missing_docs, clippy::all, reason = "generated")]
    pub mod v1 {
        include!("gen/playon.auth.v1.rs");
    }
}

/// svc-wallet: balances, transactions, payments and callbacks.
pub mod wallet {
    #![allow(missing_docs, clippy::all, reason = "generated")]
    pub mod v1 {
        include!("gen/playon.wallet.v1.rs");
    }
}

/// svc-games: the catalogue of games.
pub mod games {
    #![allow(missing_docs, clippy::all, reason = "generated")]
    pub mod v1 {
        include!("gen/playon.games.v1.rs");
    }
}

/// svc-tournament: tournaments.
pub mod tournament {
    #![allow(missing_docs, clippy::all, reason = "generated")]
    pub mod v1 {
        include!("gen/playon.tournament.v1.rs");
    }
}

/// svc-chat: chat rooms.
pub mod chat {
    #![allow(missing_docs, clippy::all, reason = "generated")]
    pub mod v1 {
        include!("gen/playon.chat.v1.rs");
    }
}

/// What each service stores about a player.
pub mod privacy {
    #![allow(missing_docs, clippy::all, reason = "generated")]
    pub mod v1 {
        include!("gen/playon.privacy.v1.rs");
    }
}

/// The gateway's live stream to browsers.
pub mod live {
    #![allow(missing_docs, clippy::all, reason = "generated")]
    pub mod v1 {
        include!("gen/playon.live.v1.rs");
    }
}
