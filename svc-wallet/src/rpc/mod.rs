//! The wire: decode, one use case, encode.

mod callback;
mod encode;
mod wallet;

pub use callback::Callbacks;
pub use wallet::Wallet;
