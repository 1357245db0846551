//! Opening the page of a card payment, within the call that asks for it: the reply has the
//! page's address.
//!
//! The payment is stored before Paystack is called, so a repeated call finds it. Its page is
//! opened by one call at a time, in a task of its own, so that an address is stored even
//! when the caller has gone. Where Paystack's reply is lost the page's address is lost with
//! it, so no player can pay on that page, and another one is opened under another reference.

use std::time::Duration;

use anyhow::Context as _;
use mesh::{instrument, telemetry};
use tracing::{error, warn};

use crate::{
    app::{
        Cx,
        attempt::{Attempt, check_limits, insert},
        card::verify::{CardOutcome, apply_transaction},
        ledger,
        payin::settle::settle,
        payment_changed::publish_payment_changed,
        repeated::get_concurrent,
    },
    clients::paystack::{OpenResult, VerifyResult},
    domain::{
        CardReference, Evidence, Failure, Method, Payment, PaymentId, PaymentKind, ProviderRefusal,
        State, next_verify,
    },
    error::Error,
    store,
};

/// The cause of a state change when a page is opened.
const CAUSE: &str = "card page";
/// The lease of a call that opens a page; longer than its calls to Paystack take together.
const LEASE: Duration = Duration::from_mins(1);
/// Longest that a call waits for another call that opens the page.
const WAIT: Duration = Duration::from_secs(15);
/// Pause between two checks of a page that another call opens.
const POLL: Duration = Duration::from_millis(100);
/// Maximum Paystack calls per page, whatever they return.
const CALLS: u32 = 3;
/// Maximum references per payment.
const REFERENCES: u16 = 20;

/// Stores a new payment by card, and opens its page.
pub(crate) async fn start(
    cx: &Cx,
    mut payment: Payment,
    attempt: Attempt<'_>,
) -> Result<Payment, Error> {
    if payment.kind == PaymentKind::Boost {
        payment.detail = ledger::boost::find_detail(cx, &payment).await?;
    }
    let mut tx = cx.db.begin().await?;
    if !insert(&mut tx, &payment, attempt).await? {
        let first =
            get_concurrent(&mut tx, payment.payer, attempt.request, attempt.fingerprint).await?;
        drop(tx);
        return resume(cx, first).await;
    }
    check_limits(&mut tx, &payment).await?;
    let first = next_verify(Duration::ZERO, cx.card_expiry).unwrap_or(cx.card_expiry);
    let at = payment.created_at;
    store::card_payment::insert(&mut tx, payment.id, at, at + first).await?;
    tx.commit().await?;
    open(cx, payment).await
}

/// The payment of a repeated request, with its page: opened now, if the first call could not.
pub(crate) async fn resume(cx: &Cx, payment: Payment) -> Result<Payment, Error> {
    let has_page = payment.page.is_some() || payment.state.is_final();
    if payment.method != Method::Card || has_page {
        return Ok(payment);
    }
    open(cx, payment).await
}

/// Opens the page in a task of its own; returns the payment as it is afterwards.
async fn open(cx: &Cx, payment: Payment) -> Result<Payment, Error> {
    let (id, payer) = (payment.id, payment.payer);
    let own = cx.clone();
    cx.shutdown.run_apart("card page", async move { open_once(&own, &payment).await }).await??;
    let mut conn = cx.db.acquire().await?;
    let found = store::payment::find(&mut conn, payer, &[id]).await?;
    Ok(found.into_iter().next().context("a payment that is gone")?)
}

/// Opens the page, or waits for another call that is opening it.
#[instrument(name = "wallet.open_card_page", skip_all, fields(payment.id = %payment.id))]
async fn open_once(cx: &Cx, payment: &Payment) -> Result<(), Error> {
    let mut waited = Duration::ZERO;
    let mut attempt = loop {
        match claim(cx, payment.id).await? {
            PageClaim::Claimed { attempt } => break attempt,
            PageClaim::Ended => return Ok(()),
            PageClaim::Busy if waited >= WAIT => return Ok(()),
            PageClaim::Busy => tokio::time::sleep(POLL).await,
        }
        waited += POLL;
    };
    let mut lost = false;
    for _ in 0..CALLS {
        let reference = CardReference { payment: payment.id, attempt };
        match cx.paystack.open(reference, payment.payer, payment.amount).await {
            OpenResult::Opened(url) => return store_page(cx, payment.id, &url).await,
            OpenResult::Duplicate => match after_duplicate(cx, reference).await? {
                Some(next) => attempt = next,
                None => return Ok(()),
            },
            OpenResult::Refused(code) => {
                return fail(cx, payment.id, Failure::CardError, code).await;
            }
            OpenResult::NotSent => {}
            OpenResult::Unknown => lost = true,
        }
    }
    // A page may be open, but no player has its address: no money can move by it.
    warn!(lost, "cannot open a card page");
    let code = if lost { "NO_REPLY" } else { "NOT_SENT" };
    fail(cx, payment.id, Failure::CardUnreachable, code.to_owned()).await
}

/// The result of claiming the page.
enum PageClaim {
    Claimed {
        /// The attempt of the reference. It is the last one again, which may not have reached
        /// Paystack.
        attempt: u16,
    },
    /// Another call is opening the page.
    Busy,
    /// The page is open already, or the payment has ended.
    Ended,
}

async fn claim(cx: &Cx, id: PaymentId) -> Result<PageClaim, Error> {
    let mut tx = cx.db.begin().await?;
    let payment = store::payment::lock(&mut tx, id).await?;
    // Read the page under the lock: the page that the locking statement joined may be older.
    let page = store::card_payment::page(&mut tx, id).await?;
    if payment.state.is_final() || page.url.is_some() {
        return Ok(PageClaim::Ended);
    }
    if page.is_opening {
        return Ok(PageClaim::Busy);
    }
    if payment.state == State::Created {
        let now = cx.clock.now();
        store::payment::advance(&mut tx, &payment, State::Submitting, CAUSE, now).await?;
    }
    let attempt = page.attempts.max(1);
    store::card_payment::claim_page(&mut tx, id, attempt, LEASE).await?;
    tx.commit().await?;
    Ok(PageClaim::Claimed { attempt })
}

/// Handles a transaction that Paystack has under this reference, whose page's address was lost.
/// Ends the payment if the transaction was paid; else returns the attempt of the next reference.
async fn after_duplicate(cx: &Cx, reference: CardReference) -> Result<Option<u16>, Error> {
    if let VerifyResult::Found(found) = cx.paystack.verify(reference).await {
        let outcome = apply_transaction(cx, reference, &found, CAUSE).await?;
        if outcome != CardOutcome::Open {
            return Ok(None);
        }
    }
    let next = reference.attempt + 1;
    if next > REFERENCES {
        error!("a card payment has used up its references");
        fail(cx, reference.payment, Failure::CardError, "REFERENCES".to_owned()).await?;
        return Ok(None);
    }
    let mut conn = cx.db.acquire().await?;
    store::card_payment::claim_page(&mut conn, reference.payment, next, LEASE).await?;
    Ok(Some(next))
}

async fn store_page(cx: &Cx, id: PaymentId, url: &str) -> Result<(), Error> {
    let mut tx = cx.db.begin().await?;
    let payment = store::payment::lock(&mut tx, id).await?;
    store::card_payment::set_page(&mut tx, id, url).await?;
    if matches!(payment.state, State::Created | State::Submitting) {
        let now = cx.clock.now();
        store::payment::advance(&mut tx, &payment, State::Submitted, CAUSE, now).await?;
    }
    tx.commit().await?;
    publish_payment_changed(cx, id);
    Ok(())
}

/// Ends a payment whose page could not be opened.
async fn fail(cx: &Cx, id: PaymentId, failure: Failure, code: String) -> Result<(), Error> {
    let refusal = ProviderRefusal { failure, code };
    telemetry::mark_failed("no card page");
    settle(cx, id, &Evidence::Refused { refusal }, CAUSE).await?;
    let mut conn = cx.db.acquire().await?;
    Ok(store::card_payment::release_page(&mut conn, id).await?)
}
