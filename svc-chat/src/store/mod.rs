//! SQL, one file for each group of tables. Functions take a connection; the use case owns the
//! transaction.

pub(crate) mod content;
pub(crate) mod erasure;
pub(crate) mod feedback;
mod json_text;
pub(crate) mod media;
pub(crate) mod membership;
pub(crate) mod mention;
pub(crate) mod message;
pub(crate) mod message_page;
pub(crate) mod notification;
pub(crate) mod notification_page;
mod parsed;
pub(crate) mod player_data;
pub(crate) mod push;
pub(crate) mod room;
pub(crate) mod safety;
pub(crate) mod safety_admin;

use self::{json_text::JsonText, parsed::Parsed};
use crate::error::Error;

/// Whether the error is that a row could not be read, perhaps because a newer replica wrote it.
pub(crate) fn is_of_a_row(error: &Error) -> bool {
    let Error::Failed(cause) = error else { return false };
    matches!(cause.downcast_ref(), Some(sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_)))
}
