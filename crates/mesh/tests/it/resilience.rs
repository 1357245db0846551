//! Deadlines, repetitions, the breaker and shedding, as callers see them.

use std::time::Duration;

use mesh::call::Call;
use proto::Priority;
use testkit::eventually;
use tokio::{sync::mpsc, time::Instant};
use tonic::Code;

use crate::harness::{Process, call};

/// An RPC that is repeatable.
const METHODS: &str = "/playon.wallet.v1.WalletService/ListPaymentMethods";
/// An RPC that is not repeatable.
const SIGN_IN: &str = "/playon.auth.v1.AuthService/SignIn";

async fn start<F, Fut>(name: &'static str, answer: F) -> Process
where
    F: Fn(u32) -> Fut + Clone + Send + Sync + 'static,
    Fut: Future<Output = Code> + Send + 'static,
{
    Process::with(testkit::base(name), 0, answer).await
}

/// Attempts that reach an upstream for 500 requests when each `nth` attempt fails.
async fn attempts(nth: u32) -> u32 {
    let process = start("svc-wallet", move |call| async move {
        if call % nth == 0 { Code::Unavailable } else { Code::Ok }
    })
    .await;
    let client = process.client("gateway");
    for _ in 0..500 {
        call(&client, METHODS, None).await;
    }
    process.calls.count()
}

#[tokio::test]
async fn an_upstream_that_fails_gets_at_most_a_fifth_more_calls() {
    let third = attempts(3).await;
    assert!((501..=600).contains(&third), "the breaker stays closed: {third}");
    // The breaker opens, and most requests do not reach the upstream.
    let half = attempts(2).await;
    assert!(half <= 600, "{half}");
}

#[tokio::test]
async fn a_repeatable_call_is_repeated_after_a_failure() {
    let first = |call: u32| async move { if call == 1 { Code::Unavailable } else { Code::Ok } };
    let process = start("svc-wallet", first).await;
    assert_eq!(call(&process.client("gateway"), METHODS, None).await, Code::Ok);
    assert_eq!(process.calls.count(), 2);
}

#[tokio::test]
async fn no_other_call_is_repeated() {
    let process = start("svc-auth", |_| async { Code::Unavailable }).await;
    assert_eq!(call(&process.client("gateway"), SIGN_IN, None).await, Code::Unavailable);
    assert_eq!(process.calls.count(), 1);
}

#[tokio::test]
async fn an_upstream_that_fails_is_not_called_until_a_probe_succeeds() {
    let process =
        start(
            "svc-auth",
            |call| async move { if call <= 10 { Code::Unavailable } else { Code::Ok } },
        )
        .await;
    let client = process.client("gateway");
    for _ in 0..20 {
        assert_eq!(call(&client, SIGN_IN, None).await, Code::Unavailable);
    }
    assert_eq!(process.calls.count(), 10, "the breaker refused the others");
    eventually("the probe closes the breaker", || async {
        (call(&client, SIGN_IN, None).await == Code::Ok).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_call_ends_at_its_deadline_and_its_work_with_it() {
    let (ended, mut end) = mpsc::unbounded_channel();
    let process = start("svc-wallet", move |_| {
        let guard = EndOfWork(ended.clone());
        async move {
            let _guard = guard;
            std::future::pending().await
        }
    })
    .await;
    let client = process.client("gateway");
    let (started, limit) = (Instant::now(), Duration::from_millis(300));
    let code = Call::new(limit, None).run(call(&client, METHODS, None)).await;
    assert_eq!(code, Code::DeadlineExceeded);
    assert!(started.elapsed() >= limit);
    end.recv().await.unwrap();
}

struct EndOfWork(mpsc::UnboundedSender<()>);

impl Drop for EndOfWork {
    fn drop(&mut self) {
        let _ = self.0.send(());
    }
}

#[tokio::test]
async fn overload_sheds_cheap_reads_and_keeps_money() {
    const TOP_UP: &str = "/playon.wallet.v1.WalletService/TopUp";
    let process = start("svc-wallet", |_| std::future::pending()).await;
    let (client, (_, token)) = (process.client("gateway"), process.tokens.player());
    // Half of the 128 calls that testkit::args allows.
    let waiting: Vec<_> = (0..64)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move { call(&client, METHODS, None).await })
        })
        .collect();
    eventually("64 reads wait", || async { (process.calls.count() == 64).then_some(()) }).await;
    assert!(client.has_room(Priority::Low), "no call was refused yet");
    assert_eq!(call(&client, METHODS, None).await, Code::ResourceExhausted);
    let room = [Priority::Low, Priority::Normal, Priority::High].map(|p| client.has_room(p));
    assert_eq!(room, [false, true, true], "the client has learnt what the service accepts");
    let pay = tokio::spawn(async move { call(&client, TOP_UP, Some(&token)).await });
    eventually("the payment is handled", || async { (process.calls.count() == 65).then_some(()) })
        .await;
    pay.abort();
    waiting.iter().for_each(tokio::task::JoinHandle::abort);
}
