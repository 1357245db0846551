//! Calls that wait at the same time, made together: one statement or one RPC for all of them.
//!
//! A commit and an RPC cost more than the items in them. A call that comes alone waits for
//! nothing: while [`Work::AT_ONCE`] batches are under way, calls queue, and the next batch takes
//! all that have come since. So batches grow with the load.
//!
//! A batch is part of the trace of the call that waited longest. The spans of the others have a
//! link to it.

use std::{
    collections::HashSet,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::oneshot;
use tracing::{Instrument as _, Span};

use crate::{Fault, Shutdown};

/// Items that wait at most; more are refused.
const WAITING: usize = 10_000;

/// What is done in batches.
pub trait Work: Send + Sync + 'static {
    /// One call's part.
    type Item: Send + Sync + 'static;
    /// Two items with the same key are never in one batch.
    type Key: Eq + Hash;
    /// What a call gets.
    type Reply: Send + 'static;
    /// Why a batch failed.
    type Error: From<Fault> + Send + 'static;

    /// Of the task that does it, in logs.
    const NAME: &'static str;
    /// Batches under way at most.
    const AT_ONCE: usize;
    /// Items of one batch at most.
    const MOST: usize;

    /// The key of an item.
    fn key(item: &Self::Item) -> Self::Key;

    /// Does all of them or none, and returns a reply for each, in their order.
    fn run(
        &self,
        items: &[Self::Item],
    ) -> impl Future<Output = Result<Vec<Self::Reply>, Self::Error>> + Send;

    /// Whether one of the items is at fault. Then each is done alone, so that the others are
    /// not lost with it.
    fn is_of_one_item(error: &Self::Error) -> bool;

    /// The error of the whole batch for another of its calls. The first has the cause, for its
    /// log line.
    fn for_another(_: &Self::Error) -> Self::Error {
        Fault::unavailable().into()
    }
}

/// Does the calls of one kind of work in batches.
pub struct Batcher<W: Work>(Arc<Inner<W>>);

struct Inner<W: Work> {
    work: W,
    shutdown: Shutdown,
    queue: Mutex<Queue<W>>,
}

struct Queue<W: Work> {
    waiting: Vec<Waiting<W>>,
    workers: usize,
}

struct Waiting<W: Work> {
    item: W::Item,
    reply: oneshot::Sender<Result<W::Reply, W::Error>>,
    /// Of the call.
    span: Span,
}

impl<W: Work> Clone for Batcher<W> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<W: Work> Batcher<W> {
    /// Does nothing until the first call.
    pub fn new(work: W, shutdown: Shutdown) -> Self {
        let queue = Mutex::new(Queue { waiting: Vec::new(), workers: 0 });
        Self(Arc::new(Inner { work, shutdown, queue }))
    }

    /// Does an item in the next batch, and returns once that is done.
    pub async fn call(&self, item: W::Item) -> Result<W::Reply, W::Error> {
        let (reply, done) = oneshot::channel();
        let is_worker_wanted = {
            let mut queue = self.0.lock();
            if queue.waiting.len() >= WAITING {
                return Err(Fault::overloaded().into());
            }
            queue.waiting.push(Waiting { item, reply, span: Span::current() });
            let is_wanted = queue.workers < W::AT_ONCE;
            queue.workers += usize::from(is_wanted);
            is_wanted
        };
        if is_worker_wanted {
            let worker = Worker { inner: Arc::clone(&self.0), is_done: false };
            self.0.shutdown.spawn_contained(W::NAME, worker.run());
        }
        // The sender is dropped when the worker panics.
        done.await.unwrap_or_else(|_| Err(Fault::unavailable().into()))
    }
}

impl<W: Work> Inner<W> {
    fn lock(&self) -> MutexGuard<'_, Queue<W>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W: Work> Queue<W> {
    /// The items that waited longest, one of each key, without those of callers that have gone.
    fn take(&mut self) -> Vec<Waiting<W>> {
        let mut keys = HashSet::new();
        let (batch, left) = std::mem::take(&mut self.waiting)
            .into_iter()
            .filter(|one| !one.reply.is_closed())
            .partition(|one| keys.len() < W::MOST && keys.insert(W::key(&one.item)));
        self.waiting = left;
        batch
    }
}

/// Does batches until none waits.
struct Worker<W: Work> {
    inner: Arc<Inner<W>>,
    is_done: bool,
}

impl<W: Work> Drop for Worker<W> {
    fn drop(&mut self) {
        if !self.is_done {
            let mut queue = self.inner.lock();
            queue.workers -= 1;
            if queue.workers == 0 {
                // It panicked, and nothing does these: their callers get an error at once.
                queue.waiting.clear();
            }
        }
    }
}

impl<W: Work> Worker<W> {
    async fn run(mut self) {
        while let Some(batch) = self.next() {
            // Not the worker as a whole: under load it has no end, nor would the span.
            let span = batch.first().map_or_else(Span::none, |first| first.span.clone());
            for other in batch.iter().skip(1) {
                other.span.follows_from(&span);
            }
            self.inner.work_on(batch).instrument(span).await;
        }
    }

    /// The next batch. Without one this worker is done, in the same lock: a call that comes
    /// afterwards starts another.
    fn next(&mut self) -> Option<Vec<Waiting<W>>> {
        let mut queue = self.inner.lock();
        let batch = queue.take();
        if batch.is_empty() {
            queue.workers -= 1;
            self.is_done = true;
            return None;
        }
        Some(batch)
    }
}

impl<W: Work> Inner<W> {
    /// A reply that cannot be sent is of a caller that has gone.
    async fn work_on(&self, batch: Vec<Waiting<W>>) {
        let (items, calls): (Vec<_>, Vec<_>) =
            batch.into_iter().map(|one| (one.item, one.reply)).unzip();
        match self.work.run(&items).await {
            Ok(replies) => {
                for (call, reply) in calls.into_iter().zip(replies) {
                    drop(call.send(Ok(reply)));
                }
            }
            Err(error) if items.len() > 1 && W::is_of_one_item(&error) => {
                for (call, item) in calls.into_iter().zip(&items) {
                    let replies = self.work.run(std::slice::from_ref(item)).await;
                    let reply = replies.map(|mut replies| replies.pop());
                    match reply {
                        Ok(Some(reply)) => drop(call.send(Ok(reply))),
                        Ok(None) => drop(call),
                        Err(error) => drop(call.send(Err(error))),
                    }
                }
            }
            Err(error) => {
                let mut calls = calls.into_iter();
                let first = calls.next();
                for call in calls {
                    drop(call.send(Err(W::for_another(&error))));
                }
                if let Some(first) = first {
                    drop(first.send(Err(error)));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::sync::Semaphore;
    use tonic::Code;
    use tracing::{Subscriber, span::Id};
    use tracing_subscriber::{
        Layer,
        layer::{Context, SubscriberExt as _},
        registry::LookupSpan,
        util::SubscriberInitExt as _,
    };

    use super::*;

    /// Doubles numbers once a permit is there; refuses those above a hundred, and panics at 13.
    struct Doubling {
        permits: Semaphore,
        batches: Mutex<Vec<Vec<u32>>>,
    }

    impl Work for Arc<Doubling> {
        type Item = u32;
        type Key = u32;
        type Reply = u32;
        type Error = Fault;

        const NAME: &'static str = "double";
        const AT_ONCE: usize = 1;
        const MOST: usize = 3;

        fn key(item: &u32) -> u32 {
            *item
        }

        async fn run(&self, items: &[u32]) -> Result<Vec<u32>, Fault> {
            self.batches.lock().unwrap().push(items.to_vec());
            self.permits.acquire().await.expect("it is open").forget();
            assert!(!items.contains(&13), "thirteen");
            if items.contains(&0) {
                return Err(Fault::unavailable());
            }
            if items.iter().any(|item| *item > 100) {
                return Err(Fault::invalid_field("number", "It is too large."));
            }
            Ok(items.iter().map(|item| item * 2).collect())
        }

        fn is_of_one_item(error: &Fault) -> bool {
            error.code == Code::InvalidArgument
        }

        fn for_another(error: &Fault) -> Fault {
            error.clone()
        }
    }

    struct Test {
        work: Arc<Doubling>,
        batcher: Batcher<Arc<Doubling>>,
    }

    impl Test {
        fn new() -> Self {
            let work = Arc::new(Doubling { permits: Semaphore::new(0), batches: Mutex::default() });
            Self { batcher: Batcher::new(Arc::clone(&work), Shutdown::new()), work }
        }

        /// The replies to a call, and to others that come while it is under way.
        async fn call(&self, first: u32, others: &[u32]) -> Vec<Result<u32, Fault>> {
            let begun = self.batches().len() + 1;
            let others = async {
                until(|| self.batches().len() == begun).await;
                let calls = others.iter().map(|item| self.batcher.call(*item));
                let release = async {
                    until(|| self.batcher.0.lock().waiting.len() == others.len()).await;
                    self.work.permits.add_permits(100);
                };
                tokio::join!(futures_util::future::join_all(calls), release).0
            };
            let all = async { tokio::join!(self.batcher.call(first), others) };
            let all = tokio::time::timeout(Duration::from_secs(10), all).await;
            let (first, others) = all.expect("no call waits for ever");
            [vec![first], others].concat()
        }

        fn batches(&self) -> Vec<Vec<u32>> {
            self.work.batches.lock().unwrap().clone()
        }
    }

    async fn until(is_so: impl Fn() -> bool) {
        while !is_so() {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn calls_that_wait_share_batches_and_each_has_its_own_reply() {
        let test = Test::new();
        let replies = test.call(1, &[2, 3, 4, 5, 6]).await;
        assert_eq!(replies, [2, 4, 6, 8, 10, 12].map(Ok));
        assert_eq!(test.batches(), [vec![1], vec![2, 3, 4], vec![5, 6]]);
    }

    #[tokio::test]
    async fn the_call_of_a_caller_that_has_gone_is_not_made() {
        let test = Test::new();
        let mut first = Box::pin(test.batcher.call(1));
        assert!(futures_util::poll!(&mut first).is_pending());
        until(|| test.batches().len() == 1).await;
        let mut gone = Box::pin(test.batcher.call(2));
        assert!(futures_util::poll!(&mut gone).is_pending());
        drop(gone);
        test.work.permits.add_permits(2);
        assert_eq!(first.await, Ok(2));
        assert_eq!(test.batcher.call(3).await, Ok(6));
        assert_eq!(test.batches(), [vec![1], vec![3]]);
    }

    #[tokio::test]
    async fn two_with_one_key_are_in_two_batches() {
        let test = Test::new();
        test.call(1, &[7, 7, 8]).await;
        assert_eq!(test.batches(), [vec![1], vec![7, 8], vec![7]]);
    }

    /// Records which span follows from which, by their names.
    #[derive(Clone, Default)]
    struct Links(Arc<Mutex<Vec<[&'static str; 2]>>>);

    impl<S> Layer<S> for Links
    where
        S: Subscriber + for<'a> LookupSpan<'a>,
    {
        fn on_follows_from(&self, span: &Id, follows: &Id, context: Context<'_, S>) {
            let name = |id| context.span(id).expect("it is open").name();
            self.0.lock().unwrap().push([name(span), name(follows)]);
        }
    }

    #[tokio::test]
    async fn a_call_is_linked_to_the_trace_that_has_its_batch() {
        let links = Links::default();
        let _guard = tracing_subscriber::registry().with(links.clone()).set_default();
        let test = Test::new();
        test.work.permits.add_permits(1);
        let call = |item, span| test.batcher.call(item).instrument(span);
        let replies = tokio::join!(
            call(1, tracing::info_span!("first")),
            call(2, tracing::info_span!("second")),
            call(3, tracing::info_span!("third")),
        );
        assert_eq!(replies, (Ok(2), Ok(4), Ok(6)));
        assert_eq!(test.batches(), [vec![1, 2, 3]]);
        assert_eq!(*links.0.lock().unwrap(), [["second", "first"], ["third", "first"]]);
    }

    #[tokio::test]
    async fn an_item_at_fault_fails_alone() {
        let test = Test::new();
        let replies = test.call(1, &[2, 101, 3]).await;
        let codes: Vec<_> =
            replies.iter().map(|reply| reply.as_ref().err().map(|e| e.code)).collect();
        assert_eq!(codes, [None, None, Some(Code::InvalidArgument), None]);
        assert_eq!(test.batches(), [vec![1], vec![2, 101, 3], vec![2], vec![101], vec![3]]);
    }

    #[tokio::test]
    async fn an_outage_is_the_error_of_all_calls_of_the_batch() {
        let test = Test::new();
        let replies = test.call(1, &[2, 0, 3]).await;
        assert_eq!(replies[0], Ok(2));
        for reply in &replies[1..] {
            assert_eq!(reply, &Err(Fault::unavailable()));
        }
        assert_eq!(test.batches().len(), 2);
    }

    #[tokio::test]
    async fn after_a_panic_no_call_waits_and_the_next_ones_are_done() {
        let test = Test::new();
        let replies = test.call(1, &[13, 2]).await;
        assert_eq!(replies, [Ok(2), Err(Fault::unavailable()), Err(Fault::unavailable())]);
        assert_eq!(test.call(4, &[]).await, [Ok(8)]);
    }
}
