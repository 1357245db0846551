//! The memory that password hashes are computed in, used again and again: nineteen
//! megabytes from the system for each hash, page by page, cost sign-ins a tenth of their rate.

use std::sync::{Mutex, PoisonError};

use argon2::Block;

/// As many pieces of memory as hashes are ever computed at once.
#[derive(Default)]
pub(super) struct Scratch(Mutex<Vec<Vec<Block>>>);

impl Scratch {
    /// Lends `blocks` blocks to `work`. What is in them does not matter to Argon2,
    /// which writes each before it reads it.
    pub(super) fn lend<T>(&self, blocks: usize, work: impl FnOnce(&mut [Block]) -> T) -> T {
        let free = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut memory = free.unwrap_or_default();
        memory.resize(blocks, Block::new());
        let done = work(&mut memory);
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(memory);
        done
    }
}
