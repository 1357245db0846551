//! Calls are spread over the replicas of an upstream, which come and go.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use mesh::{Base, Shutdown, grpc::client::Upstream};
use testkit::eventually;
use tonic::Code;

use crate::harness::{Process, call};

const BALANCE: &str = "/playon.wallet.v1.WalletService/ListPaymentMethods";

/// A client of two replicas.
fn client_of(one: &Process, two: &Process) -> Upstream {
    let urls = format!("https://{},https://{}", one.addr, two.addr);
    testkit::base("gateway").upstream("svc-wallet", &urls).unwrap()
}

/// A replica on a port.
async fn replica(base: &Base, port: u16) -> Process {
    let base = Base { shutdown: Shutdown::new(), ..base.clone() };
    Process::with(base, port, |_| async { Code::Ok }).await
}

/// Waits until both have answered a call.
async fn await_both(client: &Upstream, one: &Process, two: &Process) {
    eventually("both replicas get calls", || async {
        assert_eq!(call(client, BALANCE, None).await, Code::Ok);
        (one.calls.count() > 0 && two.calls.count() > 0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn calls_are_spread_over_both_replicas() {
    let (one, two) = (Process::start("svc-wallet").await, Process::start("svc-wallet").await);
    let client = client_of(&one, &two);
    await_both(&client, &one, &two).await;
    let before = one.calls.count();
    for _ in 0..200 {
        assert_eq!(call(&client, BALANCE, None).await, Code::Ok);
    }
    let share = one.calls.count() - before;
    assert!((80..=120).contains(&share), "{share} of 200 calls went to one replica");
}

#[tokio::test]
async fn a_rolling_restart_loses_no_call() {
    let base = testkit::base("svc-wallet");
    let (mut one, mut two) = (replica(&base, 0).await, replica(&base, 0).await);
    let client = client_of(&one, &two);
    await_both(&client, &one, &two).await;
    let done = Arc::new(AtomicBool::new(false));
    let callers: Vec<_> = (0..8)
        .map(|_| {
            let (client, done) = (client.clone(), Arc::clone(&done));
            tokio::spawn(async move {
                let mut calls = 0;
                while !done.load(Ordering::SeqCst) {
                    assert_eq!(call(&client, BALANCE, None).await, Code::Ok);
                    calls += 1;
                    tokio::task::yield_now().await;
                }
                calls
            })
        })
        .collect();
    for _ in 0..3 {
        let port = one.addr.port();
        one.stop().await;
        one = replica(&base, port).await;
        await_both(&client, &one, &two).await;
        (one, two) = (two, one);
    }
    done.store(true, Ordering::SeqCst);
    for caller in callers {
        assert!(caller.await.unwrap() > 0);
    }
}

#[tokio::test]
async fn an_upstream_out_of_reach_is_unavailable_at_once_and_back_at_once() {
    let base = testkit::base("svc-wallet");
    let first = replica(&base, 0).await;
    let (port, client) = (first.addr.port(), first.client("gateway"));
    assert_eq!(call(&client, BALANCE, None).await, Code::Ok);
    first.stop().await;
    eventually("calls fail", || async {
        (call(&client, BALANCE, None).await == Code::Unavailable).then_some(())
    })
    .await;
    let second = replica(&base, port).await;
    eventually("calls succeed", || async {
        (call(&client, BALANCE, None).await == Code::Ok).then_some(())
    })
    .await;
    assert!(second.calls.count() > 0);
}
