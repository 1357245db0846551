//! The threads that compute password hashes.
//!
//! Their number is fixed, and each owns the memory that Argon2 fills: allocated once,
//! used for every hash. So however many sign-ins come at once, the process holds no more
//! memory than its workers do.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
};

use anyhow::Context as _;
use argon2::Block;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

/// One hash. It is passed the memory of the worker that runs it.
type Job = Box<dyn FnOnce(&mut [Block]) + Send>;

/// All workers are busy and the queue is full.
#[derive(Debug)]
pub(crate) struct Busy;

/// A fixed set of threads and their bounded queue. The threads end with the last clone.
#[derive(Clone)]
pub(super) struct HashWorkers {
    queue: SyncSender<Job>,
    permits: Arc<Semaphore>,
}

impl HashWorkers {
    /// Starts `concurrency` threads with `blocks` KiB each; `waiting` jobs may be queued.
    pub(super) fn start(concurrency: usize, waiting: usize, blocks: usize) -> anyhow::Result<Self> {
        let (concurrency, capacity) = (concurrency.max(1), concurrency.max(1) + waiting);
        let (queue, jobs) = sync_channel(capacity);
        let jobs = Arc::new(Mutex::new(jobs));
        for _ in 0..concurrency {
            let jobs = Arc::clone(&jobs);
            thread::Builder::new()
                .name("password-hash".to_owned())
                .spawn(move || work(&jobs, blocks))
                .context("cannot start a hash worker")?;
        }
        Ok(Self { queue, permits: Arc::new(Semaphore::new(capacity)) })
    }

    /// Reserves room for one job, without waiting.
    pub(super) fn acquire(&self) -> Result<OwnedSemaphorePermit, Busy> {
        Arc::clone(&self.permits).try_acquire_owned().map_err(|_| Busy)
    }

    /// Runs a job on a worker. A queued job whose caller is gone is skipped; one that runs
    /// keeps its permit until it is done.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        permit: OwnedSemaphorePermit,
        job: impl FnOnce(&mut [Block]) -> anyhow::Result<T> + Send + 'static,
    ) -> anyhow::Result<T> {
        let (reply, outcome) = oneshot::channel();
        let job: Job = Box::new(move |memory| {
            if reply.is_closed() {
                return;
            }
            let done = job(memory);
            drop(permit);
            // The caller may have gone meanwhile.
            let _ = reply.send(done);
        });
        // The queue is never full: there are as many permits as places in the queue.
        self.queue.try_send(job).ok().context("the hash workers have stopped")?;
        outcome.await.context("a hash worker panicked")?
    }
}

/// Runs jobs until the queue is closed.
fn work(jobs: &Mutex<Receiver<Job>>, blocks: usize) {
    // Allocated for the first job: a replica that has hashed nothing needs none.
    let mut memory = Vec::new();
    loop {
        // The lock is held while this worker waits, and released before the job runs.
        let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        if memory.is_empty() {
            memory = vec![Block::new(); blocks];
        }
        // A panic fails the job's own caller, whose reply is dropped, and not the worker.
        // Argon2 writes each block before it reads it, so the memory stays usable.
        let _ = catch_unwind(AssertUnwindSafe(|| job(&mut memory)));
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::HashSet, pin::pin, sync::mpsc};

    use futures_util::{FutureExt as _, future::join_all};

    use super::*;

    #[tokio::test]
    async fn any_number_of_jobs_uses_the_memory_of_the_workers_alone() {
        let workers = HashWorkers::start(2, 300, 8).unwrap();
        let jobs = (0..300).map(|_| {
            let permit = workers.acquire().unwrap();
            workers.run(permit, |memory| Ok((memory.as_ptr() as usize, memory.len())))
        });
        let used: HashSet<_> = join_all(jobs).await.into_iter().map(Result::unwrap).collect();
        assert!(used.len() <= 2, "{used:?}");
        assert!(used.iter().all(|(_, blocks)| *blocks == 8));
    }

    #[tokio::test]
    async fn a_full_queue_refuses_and_a_finished_job_makes_room() {
        let workers = HashWorkers::start(1, 1, 1).unwrap();
        let (release, released) = mpsc::channel::<()>();
        let (first, second) = (workers.acquire().unwrap(), workers.acquire().unwrap());
        let running = workers.run(first, move |_| Ok(released.recv()?));
        let queued = workers.run(second, |_| Ok(()));
        assert!(workers.acquire().is_err(), "one runs and one is queued");
        let (running, queued, ()) = tokio::join!(running, queued, async { drop(release) });
        assert!(running.is_err() && queued.is_ok());
        assert!(workers.acquire().is_ok());
    }

    #[tokio::test]
    async fn a_queued_job_without_a_caller_is_skipped() {
        let workers = HashWorkers::start(1, 2, 1).unwrap();
        let (release, released) = mpsc::channel::<()>();
        let permit = workers.acquire().unwrap();
        let mut running = pin!(workers.run(permit, move |_| Ok(released.recv()?)));
        assert!(running.as_mut().now_or_never().is_none());
        let (ran, was_run) = mpsc::channel::<()>();
        let permit = workers.acquire().unwrap();
        let mut queued = Box::pin(workers.run(permit, move |_| Ok(ran.send(())?)));
        assert!(queued.as_mut().now_or_never().is_none());
        drop(queued);
        release.send(()).unwrap();
        running.await.unwrap();
        let permit = workers.acquire().unwrap();
        workers.run(permit, |_| Ok(())).await.unwrap();
        assert!(was_run.try_recv().is_err());
    }

    #[tokio::test]
    async fn a_panic_fails_its_own_caller_alone() {
        let workers = HashWorkers::start(1, 1, 1).unwrap();
        let permit = workers.acquire().unwrap();
        let failed =
            workers.run(permit, |_| -> anyhow::Result<()> { panic!("as this test expects") });
        assert!(failed.await.is_err());
        let permit = workers.acquire().unwrap();
        assert_eq!(workers.run(permit, |_| Ok(7)).await.unwrap(), 7);
    }
}
