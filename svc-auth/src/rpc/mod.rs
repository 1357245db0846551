//! The wire: decode, one use case, encode.

mod account;
mod auth;
mod convert;
mod credentials;
mod directory;
mod keys;
mod oauth;
mod player;

pub(crate) use auth::Auth;
pub(crate) use directory::Directory;
pub(crate) use keys::Keys;
pub(crate) use player::Players;
