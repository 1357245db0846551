//! SQL, one file for each group of tables. Functions take a connection; the use case owns the
//! transaction.

pub(crate) mod content;
pub(crate) mod membership;
pub(crate) mod message;
pub(crate) mod notification;
pub(crate) mod room;
