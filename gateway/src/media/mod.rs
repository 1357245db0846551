//! Players' pictures and files of chat rooms: stored in a folder or an S3 bucket, under
//! random names, and never as active content.
//!
//! A name is written once, so that a client may cache its content for ever.

mod animation;
#[cfg(test)]
mod any_bytes;
mod chat_picture;
mod decode;
mod jpeg_frame;
mod kind;
mod memory;
mod other_file;
mod path;
mod picture;
mod received;
mod recording;
mod segment;
mod store;
mod webp_frames;

pub(crate) use kind::MediaKind;
pub(crate) use memory::UploadMemory;
pub(crate) use path::{MediaPath, Shelf};
pub(crate) use picture::PictureError;
pub(crate) use received::{ReceivedFile, Receiving};
pub(crate) use store::MediaStore;
pub use store::MediaUrl;
