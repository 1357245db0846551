//! This replica's copy of the word filter.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use time::OffsetDateTime;

use crate::domain::WordFilter;

/// The words that were read last, and when.
#[derive(Default)]
pub(crate) struct Words(Mutex<Option<Read>>);

pub(super) struct Read {
    pub(super) at: OffsetDateTime,
    pub(super) filter: Arc<WordFilter>,
}

impl Words {
    /// Has the next message read the words again.
    pub(super) fn forget(&self) {
        *self.lock() = None;
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Option<Read>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
