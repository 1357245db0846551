//! Caches that each replica keeps in memory.

use std::sync::{Mutex, PoisonError};

use mesh::auth::RevokedSessions;
use time::OffsetDateTime;
use tokio::sync::OnceCell;

use crate::domain::{Country, Currency};

/// The lists, cached by the process: only a migration changes them.
#[derive(Default)]
pub(crate) struct ReferenceLists {
    pub(super) countries: OnceCell<Vec<Country>>,
    pub(super) currencies: OnceCell<Vec<Currency>>,
}

/// Sessions whose access tokens are refused although they have not expired.
#[derive(Default)]
pub(crate) struct RevokedSessionList {
    pub(crate) sessions: RevokedSessions,
    /// The database's time of the last read.
    read_to: Mutex<Option<OffsetDateTime>>,
}

impl RevokedSessionList {
    pub(super) fn read_to(&self) -> Option<OffsetDateTime> {
        *self.read_to.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set_read_to(&self, at: OffsetDateTime) {
        *self.read_to.lock().unwrap_or_else(PoisonError::into_inner) = Some(at);
    }
}
