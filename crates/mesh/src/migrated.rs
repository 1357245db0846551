//! The end of a process that only migrates its database.

use thiserror::Error;

/// The error of [`db::connect`](crate::db::connect) in a process that only migrates: it is
/// done, and [`run`](crate::run) exits with success.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the database is migrated")]
pub struct Migrated;
