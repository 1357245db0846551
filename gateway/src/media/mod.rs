//! Players' pictures and what they send each other: kept as files or in any S3,
//! under names that nobody guesses, and never as active content.
//!
//! A name is written once, so whoever has read it has it for ever.

mod kind;
mod path;
mod picture;
mod store;
mod sweep;

pub(crate) use kind::Kind;
pub(crate) use path::{MediaPath, Shelf};
pub(crate) use picture::{PictureError, Pictures};
pub(crate) use store::MediaStore;
pub use store::MediaUrl;
pub(crate) use sweep::sweep_daily;
