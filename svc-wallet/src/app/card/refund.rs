//! Giving card payments back. The money leaves the wallet first, so that it cannot be spent
//! meanwhile; where Paystack refuses, a journal of its own returns it.
//!
//! Paystack cannot recognise a refund that is sent twice, so it is sent once: by the delivery that
//! moves it from CREATED to SENDING. A refund whose reply was lost is looked for by its note.

use std::time::Duration;

use mesh::{instrument, jobs::Round, outbox::Delivery};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::{error, warn};
use types::{Money, uuid::Uuid};

use crate::{
    app::{Cx, ledger::tax::return_duty, provider_calls::PAUSED},
    clients::paystack::{Refund, RefundResult, RefundState},
    domain::{
        CardRefund, CardRefundId, CardRefundState, Entry, HouseAccount, JournalId, JournalKind,
        Payment, PaymentId, Posted, Side, stored_detail,
    },
    error::{Error, Refused},
    store,
};

/// The outbox topic of refunds to send.
pub(crate) const CARD_REFUND_TOPIC: &str = "card.refund";

/// Pause before a refund that was not sent is tried again.
const RETRY_PAUSE: Duration = Duration::from_secs(30);
/// Pause between sending a refund and first looking for it at Paystack.
const FIRST_LOOK: Duration = Duration::from_mins(1);
/// Maximum refunds per round.
const BATCH: i64 = 16;
/// After this long another replica may look for the refund.
const LEASE: Duration = Duration::from_mins(2);
/// Age at which an operator looks into a refund. It takes up to some weeks.
const LAST_LOOK: Duration = Duration::from_hours(30 * 24);

/// The payload of an outbox row about a refund.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RefundRef {
    pub(crate) refund: CardRefundId,
}

/// Takes the money of a refund out of the wallet that it was paid into, and writes the outbox row
/// that sends the refund; returns the journal. The caller holds the payment's lock, and notifies
/// [`CARD_REFUND_TOPIC`] after the commit.
pub(crate) async fn order_refund(
    conn: &mut PgConnection,
    cx: &Cx,
    id: CardRefundId,
    (payment, amount): (&Payment, Money),
    reverses: Option<JournalId>,
    now: OffsetDateTime,
) -> Result<Uuid, Error> {
    let state = CardRefundState::Created;
    let refund = CardRefund {
        id,
        payment: payment.id,
        amount,
        state,
        provider_id: None,
        leased_until: None,
        created_at: now,
    };
    return_duty(conn, cx, payment, amount, now).await?;
    let wallet = wallet_of(payment, stored_detail::CARD_REFUND);
    let house = Side::House(HouseAccount::CardReceivable);
    let entry =
        Entry { reverses, ..Entry::new(JournalKind::Refund, id.uuid(), wallet, house, amount) };
    let journal = post(conn, cx, &entry, now).await?;
    store::card_refund::insert(conn, &refund, now).await?;
    let payload = RefundRef { refund: id };
    mesh::outbox::put(conn, &cx.clock, &cx.rng, CARD_REFUND_TOPIC, &payload).await?;
    Ok(journal)
}

fn wallet_of(payment: &Payment, detail: &str) -> Side {
    Side::Wallet { player: payment.beneficiary, detail: Some(detail.to_owned()) }
}

/// Posts an entry of a refund, and returns its journal. The wallet must cover what leaves it.
async fn post(
    conn: &mut PgConnection,
    cx: &Cx,
    entry: &Entry,
    now: OffsetDateTime,
) -> Result<Uuid, Error> {
    let id = cx.rng.uuid_v7(now);
    match store::ledger::post(conn, id, now, entry).await? {
        Posted::Done => Ok(id),
        Posted::InsufficientFunds => Err(Refused::InsufficientFunds.into()),
        // The refund's state shows that it was not posted before.
        Posted::Repeated => Err(anyhow::anyhow!("the journal of a refund is there already").into()),
    }
}

/// Sends a refund, unless it was sent before.
#[instrument(name = "wallet.send_refund", skip_all, fields(refund.id = %id))]
pub(crate) async fn send_refund(cx: &Cx, id: CardRefundId) -> Result<Delivery, Error> {
    let mut tx = cx.db.begin().await?;
    let Some(refund) = store::card_refund::lock(&mut tx, id).await? else {
        return Ok(Delivery::Done);
    };
    if refund.state != CardRefundState::Created {
        return Ok(Delivery::Done);
    }
    let pause = store::payout_pause::read_shared(&mut tx).await?;
    if pause.is_on() {
        return Ok(Delivery::Later(PAUSED));
    }
    let now = cx.clock.now();
    let Some(receipt) = store::card_refund::receipt(&mut tx, refund.payment).await? else {
        return Err(anyhow::anyhow!("a refund of a payment without a receipt").into());
    };
    if pause.resumed_after(refund.created_at) {
        // A database that has lost commits does not know whether the refund was sent.
        tx.rollback().await?;
        match find_by_note(cx, &refund, &receipt).await {
            None => return Ok(Delivery::Later(RETRY_PAUSE)),
            Some(Some(found)) => {
                apply_found(cx, id, Some(&found)).await?;
                return Ok(Delivery::Done);
            }
            Some(None) => {}
        }
        tx = cx.db.begin().await?;
        let again = store::card_refund::lock(&mut tx, id).await?;
        if again.is_none_or(|again| again.state != CardRefundState::Created) {
            return Ok(Delivery::Done);
        }
        if store::payout_pause::read_shared(&mut tx).await?.is_on() {
            return Ok(Delivery::Later(PAUSED));
        }
    }
    let look = Some(now + FIRST_LOOK);
    store::card_refund::advance(&mut tx, id, CardRefundState::Sending, None, look, now).await?;
    tx.commit().await?;
    match cx.paystack.refund(&receipt, refund.amount, &refund.note()).await {
        RefundResult::Accepted(found) => apply_found(cx, id, Some(&found)).await?,
        RefundResult::Refused(_) => end(cx, id, RefundState::Failed, None).await?,
        RefundResult::Unknown => warn!("Paystack's reply to a refund was lost; looking for it"),
        RefundResult::NotSent => {
            let mut conn = cx.db.acquire().await?;
            let state = CardRefundState::Created;
            store::card_refund::advance(&mut conn, id, state, None, None, cx.clock.now()).await?;
            return Ok(Delivery::Later(RETRY_PAUSE));
        }
    }
    // A database that went on from a standby may have lost the claim: then this row is needed.
    let mut tx = cx.db.begin().await?;
    let sent = store::card_refund::lock(&mut tx, id).await?;
    let is_lost = sent.is_some_and(|sent| sent.state == CardRefundState::Created);
    Ok(if is_lost { Delivery::Later(PAUSED) } else { Delivery::Done })
}

/// Makes the open refunds of a payment due now, because an event names one. False when the payment
/// has no refund of ours: it was made in another way.
pub(crate) async fn check_refunds_of(cx: &Cx, payment: PaymentId) -> Result<bool, Error> {
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    let refunds = store::card_refund::of_payment(&mut tx, payment).await?;
    for refund in &refunds {
        let locked = store::card_refund::lock(&mut tx, refund.id).await?;
        let Some(refund) = locked.filter(|refund| !refund.state.is_final()) else { continue };
        if refund.state != CardRefundState::Created {
            let due = Some(now);
            store::card_refund::advance(&mut tx, refund.id, refund.state, None, due, now).await?;
        }
    }
    tx.commit().await?;
    if refunds.is_empty() {
        error!(payment.id = %payment, "Paystack reports a refund that is none of ours");
    }
    Ok(!refunds.is_empty())
}

/// Looks for refunds at Paystack that are due.
pub(crate) async fn check_refunds(cx: &Cx) -> Result<Round, Error> {
    let mut conn = cx.db.acquire().await?;
    let due = store::card_refund::take_due(&mut conn, cx.clock.now(), LEASE, BATCH).await?;
    drop(conn);
    let round = if due.is_empty() { Round::Done } else { Round::More };
    for refund in due {
        // A refund that fails must not hold up the others; its lease ends by itself.
        if let Err(error) = check(cx, &refund).await {
            warn!(%error, refund.id = %refund.id, "cannot look for a refund");
        }
    }
    Ok(round)
}

#[instrument(name = "wallet.check_refund", skip_all, fields(refund.id = %refund.id))]
async fn check(cx: &Cx, refund: &CardRefund) -> Result<(), Error> {
    let found = if let Some(id) = &refund.provider_id {
        cx.paystack.refund_status(id).await
    } else {
        let mut conn = cx.db.acquire().await?;
        let receipt = store::card_refund::receipt(&mut conn, refund.payment).await?;
        drop(conn);
        find_by_note(cx, refund, receipt.as_deref().unwrap_or_default()).await.flatten()
    };
    if found.is_some() {
        return apply_found(cx, refund.id, found.as_ref()).await;
    }
    let due = next_look(cx, refund);
    if due.is_none() {
        error!("a refund has no result; an operator must look into it");
    }
    let mut conn = cx.db.acquire().await?;
    Ok(store::card_refund::set_due(&mut conn, refund, due).await?)
}

/// Looks for a refund at Paystack by its note. The outer `None` is a reply that was lost.
async fn find_by_note(cx: &Cx, refund: &CardRefund, receipt: &str) -> Option<Option<Refund>> {
    let refunds = cx.paystack.refunds(receipt).await?;
    let note = refund.note();
    Some(refunds.into_iter().find(|found| found.note.as_deref() == Some(&*note)))
}

/// Returns when to look for a refund next. It takes days.
fn next_look(cx: &Cx, refund: &CardRefund) -> Option<OffsetDateTime> {
    let now = cx.clock.now();
    let age = Duration::try_from(now - refund.created_at).unwrap_or_default();
    let pause = if age < Duration::from_hours(1) {
        Duration::from_mins(5)
    } else if age < Duration::from_hours(24) {
        Duration::from_hours(1)
    } else {
        Duration::from_hours(6)
    };
    (age < LAST_LOOK).then_some(now + pause)
}

async fn apply_found(cx: &Cx, id: CardRefundId, found: Option<&Refund>) -> Result<(), Error> {
    let Some(found) = found else { return Ok(()) };
    end(cx, id, found.state, Some(&found.id)).await
}

/// Stores what Paystack says about a refund. The money of a failed refund returns to the wallet,
/// once.
async fn end(
    cx: &Cx,
    id: CardRefundId,
    result: RefundState,
    provider_id: Option<&str>,
) -> Result<(), Error> {
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    let Some(refund) = store::card_refund::lock(&mut tx, id).await? else { return Ok(()) };
    if refund.state.is_final() {
        let contradicts = matches!(
            (refund.state, result),
            (CardRefundState::Done, RefundState::Failed)
                | (CardRefundState::Failed, RefundState::Done)
        );
        if contradicts {
            error!("Paystack contradicts the end of a refund; an operator must look into it");
            store::card_refund::contradict(&mut tx, id, now).await?;
            tx.commit().await?;
        }
        return Ok(());
    }
    let (state, due) = match result {
        RefundState::Pending => (CardRefundState::Pending, next_look(cx, &refund)),
        RefundState::Done => (CardRefundState::Done, None),
        RefundState::Failed => {
            give_back(&mut tx, cx, &refund, now).await?;
            error!("Paystack refused a refund; its money is in the wallet again");
            (CardRefundState::Failed, None)
        }
    };
    store::card_refund::advance(&mut tx, id, state, provider_id, due, now).await?;
    tx.commit().await?;
    Ok(())
}

/// Returns the money of a refund that was not made to the wallet, and returns the journal.
async fn give_back(
    conn: &mut PgConnection,
    cx: &Cx,
    refund: &CardRefund,
    now: OffsetDateTime,
) -> Result<Uuid, Error> {
    let id = refund.id;
    let payment = store::payment::lock(conn, refund.payment).await?;
    let wallet = wallet_of(&payment, stored_detail::CARD_REFUND_FAILED);
    let house = Side::House(HouseAccount::CardReceivable);
    let entry = Entry {
        reverses: store::card_refund::journal(conn, id).await?,
        ..Entry::new(JournalKind::Reversal, id.uuid(), house, wallet, refund.amount)
    };
    post(conn, cx, &entry, now).await
}

/// Ends a refund whose outcome is unknown by what an operator saw at Paystack; returns the
/// journal that returned its money, if it was not made.
pub(crate) async fn end_refund(
    conn: &mut PgConnection,
    cx: &Cx,
    id: CardRefundId,
    is_done: bool,
    now: OffsetDateTime,
) -> Result<Option<Uuid>, Error> {
    let refund = store::card_refund::lock(conn, id).await?;
    let Some(refund) = refund.filter(|refund| !refund.state.is_final()) else {
        return Err(Error::Conflict);
    };
    let state = if is_done { CardRefundState::Done } else { CardRefundState::Failed };
    store::card_refund::advance(conn, id, state, None, None, now).await?;
    if is_done { Ok(None) } else { give_back(conn, cx, &refund, now).await.map(Some) }
}
