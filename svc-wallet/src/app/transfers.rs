//! Group commit of transfers between wallets: those that come while others are under way go
//! to the ledger together, in one statement and one commit. A lone transfer waits for nothing.

use std::{pin::pin, time::Duration};

use anyhow::{Context as _, anyhow};
use mesh::{Fault, db};
use tokio::{sync::oneshot, time::timeout};
use tracing::{Instrument as _, Span, info_span, warn};
use types::PlayerId;

use super::{Cx, transfer_line::Waiting};
use crate::{
    domain::Batch,
    error::Error,
    store::{
        self,
        ledger::{Transfer, Transferred},
    },
};

/// After this time a batch is slow: several times what a full one takes.
const SLOW: Duration = Duration::from_millis(20);

/// Makes a transfer, with others if there are any. After a success it is committed. A caller
/// that goes away meanwhile finds it under its request id.
pub(super) async fn transfer(cx: &Cx, transfer: Transfer) -> Result<Transferred, Error> {
    let (reply, outcome) = oneshot::channel();
    let waiting = Waiting { transfer, reply, span: Span::current() };
    cx.transfers.queue().push(waiting).map_err(|_| Fault::unavailable())?;
    start_batches(cx);
    outcome.await.context("the batch of a transfer was lost")?
}

/// Starts the batches that may begin.
fn start_batches(cx: &Cx) {
    loop {
        let Some(batch) = cx.transfers.queue().take() else { return };
        let mut under_way = UnderWay::of(cx.clone(), &batch);
        let span = span_of(&batch);
        let run = async move {
            let cx = under_way.cx.clone();
            let mut run = pin!(run(&cx, batch.transfers));
            if timeout(SLOW, &mut run).await.is_err() {
                under_way.mark_slow();
                run.await;
            }
        };
        cx.shutdown.spawn_contained("transfers", run.instrument(span));
    }
}

/// Ends a batch, even one that panics, and starts what waited for it.
struct UnderWay {
    cx: Cx,
    wallets: Vec<PlayerId>,
    is_slow: bool,
}

impl UnderWay {
    fn of(cx: Cx, batch: &Batch<Waiting>) -> Self {
        Self { cx, wallets: batch.wallets.clone(), is_slow: false }
    }

    /// Lets another batch begin beside it.
    fn mark_slow(&mut self) {
        self.is_slow = true;
        self.cx.transfers.queue().mark_slow();
        start_batches(&self.cx);
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.cx.transfers.queue().end(&self.wallets, self.is_slow);
        start_batches(&self.cx);
    }
}

/// A lone transfer is part of its call's trace. A batch has a trace of its own, which the
/// calls' spans are linked to.
fn span_of(batch: &Batch<Waiting>) -> Span {
    if let [only] = batch.transfers.as_slice() {
        return only.span.clone();
    }
    let span = info_span!(parent: None, "wallet.transfers", count = batch.transfers.len());
    for one in &batch.transfers {
        span.follows_from(&one.span);
    }
    span
}

async fn run(cx: &Cx, batch: Vec<Waiting>) {
    let (transfers, callers): (Vec<Transfer>, Vec<_>) =
        batch.into_iter().map(|one| (one.transfer, one.reply)).unzip();
    let outcomes = match write(cx, &transfers).await {
        Ok(outcomes) => outcomes.into_iter().map(Ok).collect(),
        Err(error) if transfers.len() == 1 => vec![Err(error)],
        Err(error) => {
            // One of them may be the cause. One that was committed, and whose reply was lost,
            // is found to be a repeat.
            warn!(%error, "a batch of transfers failed; trying each alone");
            let mut outcomes = Vec::with_capacity(transfers.len());
            for transfer in transfers.chunks(1) {
                let outcome = write(cx, transfer).await;
                outcomes.push(outcome.map(|outcomes| outcomes[0]));
            }
            outcomes
        }
    };
    for (reply, outcome) in callers.into_iter().zip(outcomes) {
        // A caller that has gone reads the payment by its request id.
        drop(reply.send(outcome));
    }
}

/// Makes all of them or, after an error, none; returns as many outcomes.
async fn write(cx: &Cx, transfers: &[Transfer]) -> Result<Vec<Transferred>, Error> {
    let mut conn = cx.db.acquire().await?;
    let written = store::ledger::transfer(&mut conn, transfers, cx.clock.now()).await;
    let outcomes = written.map_err(|error| match db::violated(&error) {
        // A payment that moves no money yet took the request id: it is a repeat next time.
        Some("payment_request") => Error::Conflict,
        _ => error.into(),
    })?;
    if outcomes.len() == transfers.len() {
        Ok(outcomes)
    } else {
        Err(anyhow!("{} outcomes of {} transfers", outcomes.len(), transfers.len()).into())
    }
}
