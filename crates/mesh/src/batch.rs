//! Calls that wait at the same time, made together: one statement or one RPC for all of them.
//!
//! A commit and an RPC cost more than the items in them. A call that comes alone waits for
//! nothing: while a batch is under way, calls queue, and the next batch takes all that have come
//! since. So batches grow with the load. When a batch takes longer than [`Work::OVERLAP_AFTER`],
//! the next one begins beside it, up to [`Work::AT_ONCE`].
//!
//! A batch is part of the trace of the call that waited longest. The spans of the others have a
//! link to it.

use std::{
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use tokio::{sync::oneshot, task::yield_now, time::timeout};
use tracing::{Instrument as _, Span};

use crate::{Fault, Shutdown};

/// Most items that wait; more are refused.
const WAITING: usize = 10_000;

/// One kind of work that is done in batches.
pub trait Work: Send + Sync + 'static {
    /// The work of one call.
    type Item: Send + Sync + 'static;
    /// The state of a batch by which [`join`](Self::join) decides whether another item may join
    /// it: often the set of its items' keys.
    type Joined: Default;
    /// The reply to one call.
    type Reply: Send + 'static;
    /// Why a batch failed.
    type Error: From<Fault> + Send + 'static;

    /// Name of the task that does the work, in logs.
    const NAME: &'static str;
    /// Most batches under way at the same time.
    const AT_ONCE: usize;
    /// How long a batch is under way before another begins beside it.
    const OVERLAP_AFTER: Duration = Duration::ZERO;
    /// Most items of one batch.
    const MOST: usize;

    /// Has an item join a batch; false if it may not be in one batch with the items that joined
    /// before. Then it waits for another batch.
    fn join(item: &Self::Item, joined: &mut Self::Joined) -> bool;

    /// Does all items or none, and returns a reply for each, in their order.
    fn run(
        &self,
        items: &[Self::Item],
    ) -> impl Future<Output = Result<Vec<Self::Reply>, Self::Error>> + Send;

    /// Whether one of the items is at fault. Then each item is done alone, so that the others do
    /// not fail with it.
    fn is_of_one_item(error: &Self::Error) -> bool;

    /// Returns the error of the whole batch for the calls after the first. The first call gets the
    /// cause, for its log line.
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
    /// Workers that take calls soon, because their batch has not been under way for long.
    prompt: usize,
}

struct Waiting<W: Work> {
    item: W::Item,
    reply: oneshot::Sender<Result<W::Reply, W::Error>>,
    /// The span of the call.
    span: Span,
}

impl<W: Work> Clone for Batcher<W> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<W: Work> Batcher<W> {
    /// A batcher that does nothing until the first call.
    pub fn new(work: W, shutdown: Shutdown) -> Self {
        let queue = Mutex::new(Queue { waiting: Vec::new(), workers: 0, prompt: 0 });
        Self(Arc::new(Inner { work, shutdown, queue }))
    }

    /// Does an item in the next batch, and returns once that is done.
    pub async fn call(&self, item: W::Item) -> Result<W::Reply, W::Error> {
        let (reply, done) = oneshot::channel();
        let worker = {
            let mut queue = self.0.lock();
            if queue.waiting.len() >= WAITING {
                return Err(Fault::overloaded().into());
            }
            queue.waiting.push(Waiting { item, reply, span: Span::current() });
            Worker::if_wanted(&self.0, &mut queue)
        };
        Worker::start(worker);
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
    /// Takes the items that waited longest and may be in one batch, without those of callers that
    /// have gone.
    fn take(&mut self) -> Vec<Waiting<W>> {
        let (mut joined, mut count) = (W::Joined::default(), 0);
        let (batch, left) = std::mem::take(&mut self.waiting)
            .into_iter()
            .filter(|one| !one.reply.is_closed())
            .partition(|one| {
                let joins = count < W::MOST && W::join(&one.item, &mut joined);
                count += usize::from(joins);
                joins
            });
        self.waiting = left;
        batch
    }
}

/// Does batches until none waits, or until another worker does them.
struct Worker<W: Work> {
    inner: Arc<Inner<W>>,
    is_prompt: bool,
    is_done: bool,
}

impl<W: Work> Drop for Worker<W> {
    fn drop(&mut self) {
        if !self.is_done {
            let mut queue = self.inner.lock();
            self.leave(&mut queue);
            if queue.workers == 0 {
                // No worker is left for these calls: they get an error at once.
                queue.waiting.clear();
            }
            // Only after a panic: a runtime that ends would drop the next worker at once, too.
            if thread::panicking() {
                let other = Self::if_wanted(&self.inner, &mut queue);
                drop(queue);
                Self::start(other);
            }
        }
    }
}

impl<W: Work> Worker<W> {
    /// A worker for the calls that wait, unless another takes them soon.
    fn if_wanted(inner: &Arc<Inner<W>>, queue: &mut Queue<W>) -> Option<Self> {
        let is_wanted =
            !queue.waiting.is_empty() && queue.prompt == 0 && queue.workers < W::AT_ONCE;
        is_wanted.then(|| {
            queue.workers += 1;
            queue.prompt += 1;
            Self { inner: Arc::clone(inner), is_prompt: true, is_done: false }
        })
    }

    fn start(worker: Option<Self>) {
        if let Some(worker) = worker {
            let shutdown = worker.inner.shutdown.clone();
            shutdown.spawn_contained(W::NAME, worker.run());
        }
    }

    async fn run(mut self) {
        while let Some(batch) = self.next() {
            // The span covers a batch and not the worker: under load a worker never ends, nor would
            // its span.
            let span = batch.first().map_or_else(Span::none, |first| first.span.clone());
            for other in batch.iter().skip(1) {
                other.span.follows_from(&span);
            }
            self.work_on(batch).instrument(span).await;
            // Calls that came meanwhile may still be unread bytes of a connection that this thread
            // reads.
            yield_now().await;
        }
    }

    /// Does a batch, and has the next one begin beside it when it takes long.
    async fn work_on(&mut self, batch: Vec<Waiting<W>>) {
        let inner = Arc::clone(&self.inner);
        let mut work = pin!(inner.work_on(batch));
        if W::OVERLAP_AFTER.is_zero() || timeout(W::OVERLAP_AFTER, &mut work).await.is_err() {
            self.make_way();
            work.await;
        }
    }

    /// Takes the next batch. Without one this worker ends, under the same lock: a later call is
    /// done by another worker that takes calls soon, or starts one.
    fn next(&mut self) -> Option<Vec<Waiting<W>>> {
        let mut queue = self.inner.lock();
        queue.prompt += usize::from(!self.is_prompt);
        self.is_prompt = true;
        // Another prompt worker began beside this one's last batch, and goes on alone.
        let batch = if queue.prompt > 1 { Vec::new() } else { queue.take() };
        if batch.is_empty() {
            self.leave(&mut queue);
            self.is_done = true;
            return None;
        }
        Some(batch)
    }

    /// Has the next batch begin beside this worker's.
    fn make_way(&mut self) {
        let mut queue = self.inner.lock();
        queue.prompt -= 1;
        self.is_prompt = false;
        let other = Self::if_wanted(&self.inner, &mut queue);
        drop(queue);
        Self::start(other);
    }

    fn leave(&self, queue: &mut Queue<W>) {
        queue.workers -= 1;
        queue.prompt -= usize::from(self.is_prompt);
    }
}

impl<W: Work> Inner<W> {
    /// Does a batch and sends its replies. A reply that cannot be sent belongs to a caller that has
    /// gone.
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
                    if call.is_closed() {
                        continue;
                    }
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
    use std::{collections::HashSet, time::Duration};

    use tokio::{sync::Semaphore, task::JoinSet};
    use tonic::Code;
    use tracing::{Subscriber, span::Id};
    use tracing_subscriber::{
        Layer,
        layer::{Context, SubscriberExt as _},
        registry::LookupSpan,
        util::SubscriberInitExt as _,
    };

    use super::*;

    /// Longer than a batch of these tests takes, whose clock is not set.
    const OVERLAP_AFTER: Duration = Duration::from_mins(1);

    /// Doubles numbers once a permit is there; refuses those above a hundred, and panics at 13.
    struct Doubling<const AT_ONCE: usize> {
        permits: Semaphore,
        batches: Mutex<Vec<Vec<u32>>>,
    }

    impl<const AT_ONCE: usize> Work for Arc<Doubling<AT_ONCE>> {
        type Item = u32;
        type Joined = HashSet<u32>;
        type Reply = u32;
        type Error = Fault;

        const NAME: &'static str = "double";
        const AT_ONCE: usize = AT_ONCE;
        const OVERLAP_AFTER: Duration = OVERLAP_AFTER;
        const MOST: usize = 3;

        fn join(item: &u32, joined: &mut HashSet<u32>) -> bool {
            joined.insert(*item)
        }

        async fn run(&self, items: &[u32]) -> Result<Vec<u32>, Fault> {
            self.batches.lock().unwrap().push(items.to_vec());
            self.permits.acquire().await.expect("it is open").forget();
            assert!(!items.contains(&13), "thirteen");
            if items.contains(&0) {
                return Err(Fault::unavailable());
            }
            if items.iter().any(|item| *item > 100) {
                return Err(Fault::invalid_field("number", "AMOUNT_TOO_LARGE"));
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

    struct Test<const AT_ONCE: usize> {
        work: Arc<Doubling<AT_ONCE>>,
        batcher: Batcher<Arc<Doubling<AT_ONCE>>>,
    }

    impl<const AT_ONCE: usize> Test<AT_ONCE> {
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
        let test = Test::<1>::new();
        let replies = test.call(1, &[2, 3, 4, 5, 6]).await;
        assert_eq!(replies, [2, 4, 6, 8, 10, 12].map(Ok));
        assert_eq!(test.batches(), [vec![1], vec![2, 3, 4], vec![5, 6]]);
    }

    /// Begins a call, and waits until its batch is under way, or the call in the queue.
    macro_rules! begin {
        ($test:ident, $item:expr) => {{
            let mut call = Box::pin($test.batcher.call($item));
            assert!(futures_util::poll!(&mut call).is_pending());
            tokio::time::sleep(Duration::from_millis(1)).await;
            call
        }};
    }

    #[tokio::test]
    async fn calls_that_come_as_a_batch_ends_are_in_the_next() {
        let test = Test::<1>::new();
        let mut first = Box::pin(test.batcher.call(1));
        assert!(futures_util::poll!(&mut first).is_pending());
        until(|| test.batches().len() == 1).await;
        let mut second = Box::pin(test.batcher.call(2));
        assert!(futures_util::poll!(&mut second).is_pending());
        // The worker is woken before the task of the third call begins.
        test.work.permits.add_permits(100);
        let batcher = test.batcher.clone();
        let mut third = JoinSet::new();
        third.spawn(async move { batcher.call(3).await });
        assert_eq!((first.await, second.await), (Ok(2), Ok(4)));
        assert_eq!(third.join_all().await, [Ok(6)]);
        assert_eq!(test.batches(), [vec![1], vec![2, 3]]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_batch_that_takes_long_holds_up_no_other() {
        let test = Test::<2>::new();
        let (first, second) = (begin!(test, 1), begin!(test, 2));
        assert_eq!(test.batches(), [vec![1]], "the second waits");
        tokio::time::sleep(OVERLAP_AFTER).await;
        assert_eq!(test.batches(), [vec![1], vec![2]]);
        tokio::time::sleep(OVERLAP_AFTER).await;
        let third = begin!(test, 3);
        assert_eq!(test.batches().len(), 2, "there are two at most");
        test.work.permits.add_permits(1);
        assert_eq!(first.await, Ok(2));
        tokio::time::sleep(Duration::from_millis(1)).await;
        assert_eq!(test.batches()[2..], [vec![3]]);
        test.work.permits.add_permits(2);
        assert_eq!((second.await, third.await), (Ok(4), Ok(6)));
    }

    #[tokio::test(start_paused = true)]
    async fn after_a_batch_that_took_long_one_worker_goes_on() {
        let test = Test::<3>::new();
        let slow = begin!(test, 1);
        tokio::time::sleep(OVERLAP_AFTER).await;
        let second = begin!(test, 2);
        let (third, fourth) = (begin!(test, 3), begin!(test, 4));
        // The batch that waits for a permit longest gets it.
        test.work.permits.add_permits(1);
        assert_eq!(slow.await, Ok(2));
        tokio::time::sleep(Duration::from_millis(1)).await;
        assert_eq!(test.batches(), [vec![1], vec![2]], "its worker leaves the rest to the other");
        test.work.permits.add_permits(10);
        assert_eq!((second.await, third.await, fourth.await), (Ok(4), Ok(6), Ok(8)));
        assert_eq!(test.batches()[2..], [vec![3, 4]]);
        tokio::time::sleep(Duration::from_millis(1)).await;
        let queue = test.batcher.0.lock();
        assert_eq!((queue.workers, queue.prompt), (0, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn after_a_panic_beside_a_slow_batch_the_calls_that_wait_are_done() {
        let test = Test::<2>::new();
        let unlucky = begin!(test, 13);
        tokio::time::sleep(OVERLAP_AFTER).await;
        let slow = begin!(test, 2);
        tokio::time::sleep(OVERLAP_AFTER).await;
        let third = begin!(test, 3);
        assert_eq!(test.batches(), [vec![13], vec![2]]);
        test.work.permits.add_permits(1);
        assert_eq!(unlucky.await, Err(Fault::unavailable()));
        tokio::time::sleep(Duration::from_millis(1)).await;
        assert_eq!(test.batches()[2..], [vec![3]], "although the slow one is under way");
        test.work.permits.add_permits(2);
        assert_eq!((slow.await, third.await), (Ok(4), Ok(6)));
    }

    #[tokio::test]
    async fn the_call_of_a_caller_that_has_gone_is_not_made() {
        let test = Test::<1>::new();
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
    async fn two_that_may_not_be_together_are_in_two_batches() {
        let test = Test::<1>::new();
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
        let test = Test::<1>::new();
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
        let test = Test::<1>::new();
        let replies = test.call(1, &[2, 101, 3]).await;
        let codes: Vec<_> =
            replies.iter().map(|reply| reply.as_ref().err().map(|e| e.code)).collect();
        assert_eq!(codes, [None, None, Some(Code::InvalidArgument), None]);
        assert_eq!(test.batches(), [vec![1], vec![2, 101, 3], vec![2], vec![101], vec![3]]);
    }

    #[tokio::test]
    async fn an_outage_is_the_error_of_all_calls_of_the_batch() {
        let test = Test::<1>::new();
        let replies = test.call(1, &[2, 0, 3]).await;
        assert_eq!(replies[0], Ok(2));
        for reply in &replies[1..] {
            assert_eq!(reply, &Err(Fault::unavailable()));
        }
        assert_eq!(test.batches().len(), 2);
    }

    #[tokio::test]
    async fn after_a_panic_no_call_waits_and_the_next_ones_are_done() {
        let test = Test::<1>::new();
        let replies = test.call(1, &[13, 2]).await;
        assert_eq!(replies, [Ok(2), Err(Fault::unavailable()), Err(Fault::unavailable())]);
        assert_eq!(test.call(4, &[]).await, [Ok(8)]);
    }
}
