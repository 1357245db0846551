//! The memory in which uploads are processed.

use std::{io, sync::Arc};

use mesh::Fault;
use tokio::{
    runtime::{Builder, Runtime},
    sync::{OwnedSemaphorePermit, Semaphore},
    task::JoinError,
};
use tracing::warn;

/// Bytes that all uploads of the process may take together while they are processed. A decoder
/// takes a little more than is counted here, so that 64 MiB hold all of them.
pub(super) const TOTAL: u64 = 47 * MIB;
const MIB: u64 = 1024 * 1024;
/// The unit of permits, in bytes.
const KIB: u64 = 1024;
/// Threads that work on files. Few, because the allocator keeps some memory for each.
const THREADS: usize = 2;

/// Lends memory to uploads. Uploads that find none wait in the order in which they came. Cheap to
/// clone.
#[derive(Debug, Clone)]
pub(crate) struct UploadMemory {
    free: Arc<Semaphore>,
    threads: Arc<Threads>,
}

/// The threads that process files; `None` once they are dropped.
#[derive(Debug)]
struct Threads(Option<Runtime>);

/// Memory of one upload, until this is dropped.
#[derive(Debug)]
pub(crate) struct Reservation {
    permit: OwnedSemaphorePermit,
}

/// A value that was made of a file, with the memory that it takes until it is stored.
pub(crate) struct Made<T> {
    pub(crate) value: T,
    _memory: Reservation,
}

impl Reservation {
    /// Attaches this memory to the value that was made in it.
    pub(super) const fn holding<T>(self, value: T) -> Made<T> {
        Made { value, _memory: self }
    }

    /// Gives back all memory but this many bytes.
    pub(super) fn shrink(&mut self, bytes: usize) {
        let kept = permits(bytes as u64) as usize;
        drop(self.permit.split(self.permit.num_permits().saturating_sub(kept)));
    }
}

impl UploadMemory {
    pub(crate) fn new() -> io::Result<Self> {
        let mut threads = Builder::new_current_thread();
        let threads = threads.max_blocking_threads(THREADS).thread_name("uploads").build()?;
        Ok(Self {
            free: Arc::new(Semaphore::new(permits(TOTAL) as usize)),
            threads: Arc::new(Threads(Some(threads))),
        })
    }

    /// Reserves this many bytes once they are free; `None` if they are more than [`TOTAL`].
    pub(super) async fn reserve(&self, bytes: u64) -> Result<Option<Reservation>, Fault> {
        if bytes > TOTAL {
            return Ok(None);
        }
        let permit = Arc::clone(&self.free).acquire_many_owned(permits(bytes)).await;
        let permit = permit.map_err(|closed| Fault::failure(&closed.into()))?;
        Ok(Some(Reservation { permit }))
    }
}

impl UploadMemory {
    /// Does the work on one of the threads; `None` if it panicked, which is logged.
    pub(super) async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let threads = self.threads.0.as_ref()?;
        let done: Result<T, JoinError> = threads.spawn_blocking(work).await;
        done.inspect_err(|error| warn!(%error, "a decoder panicked over a file")).ok()
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        // Waiting for the runtime's threads is not allowed where calls are served.
        if let Some(threads) = self.0.take() {
            threads.shutdown_background();
        }
    }
}

fn permits(bytes: u64) -> u32 {
    u32::try_from(bytes.div_ceil(KIB)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_lent_is_bounded_and_comes_back() {
        let memory = UploadMemory::new().unwrap();
        let reserve = async |bytes| memory.reserve(bytes).await.unwrap();
        assert!(reserve(TOTAL + 1).await.is_none());
        let mut most = reserve(TOTAL - 1).await.unwrap();
        let mut second = std::pin::pin!(memory.reserve(1));
        let waits = tokio::time::timeout(std::time::Duration::ZERO, second.as_mut()).await;
        assert!(waits.is_err());
        most.shrink(10);
        assert!(second.await.unwrap().is_some());
        assert!(reserve(TOTAL - 20 * KIB).await.is_some());
    }
}
