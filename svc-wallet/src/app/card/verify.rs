//! Verifying card payments at Paystack: on a schedule, because its events may be late and it
//! sends none for a card that was declined, and when the player comes back from the page.

use std::time::Duration;

use mesh::{entry_span, jobs::Round};
use sqlx::PgConnection;
use tracing::{error, warn};
use types::Money;

use crate::{
    app::{
        Cx,
        payin::settle::{Settled, settle},
        provider_calls::Queries,
    },
    clients::paystack::VerifyResult,
    domain::{
        CardFinding, CardReference, CardTransaction, Entry, Evidence, HouseAccount, JournalKind,
        Method, Payment, PaymentId, Posted, Side, State, next_verify, retry_at,
    },
    error::Error,
    store::{self, card_payment::CardCheck},
};

/// Concurrent verifications of this process.
const CONCURRENCY: usize = 16;
/// The lease of a payment that is being verified: afterwards another replica may verify it. Longer
/// than a verification takes.
const LEASE: Duration = Duration::from_mins(1);
/// Shortest pause between two verifications that a player's reads cause.
const LOOK_PAUSE: Duration = Duration::from_secs(10);

/// The result of applying a transaction to its payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CardOutcome {
    /// The transaction does not decide the payment yet.
    Open,
    Settled(Settled),
    /// The transaction is not the payment that we asked for: an operator must look into it.
    Mismatch,
}

/// Applies a transaction to its payment, whether from an event, a verification or the daily match.
/// Nothing is credited unless status, reference, currency and domain are right; another amount is
/// set aside.
pub(crate) async fn apply_transaction(
    cx: &Cx,
    reference: CardReference,
    transaction: &CardTransaction,
    cause: &'static str,
) -> Result<CardOutcome, Error> {
    let evidence = match transaction.finding(reference, cx.paystack.expects_live()) {
        CardFinding::Open => return Ok(CardOutcome::Open),
        CardFinding::Mismatch(mismatch) => {
            error!(mismatch, "a card transaction is not the one that we asked for");
            let mut conn = cx.db.acquire().await?;
            store::card_payment::set_mismatch(&mut conn, reference.payment, &mismatch).await?;
            return Ok(CardOutcome::Mismatch);
        }
        CardFinding::Evidence(evidence) => evidence,
    };
    let settled = settle(cx, reference.payment, &evidence, cause).await?;
    if settled == Settled::Applied && matches!(evidence, Evidence::Paid { .. }) {
        post_fees(cx, reference.payment, transaction).await?;
    }
    Ok(CardOutcome::Settled(settled))
}

/// Posts the fees that Paystack keeps of the transaction that paid, once: Paystack owes PlayOn so
/// much less.
async fn post_fees(
    cx: &Cx,
    payment: PaymentId,
    transaction: &CardTransaction,
) -> Result<(), Error> {
    let Some(fees) = transaction.fees.filter(|fees| *fees > Money::ZERO) else { return Ok(()) };
    let now = cx.clock.now();
    let mut tx = cx.db.begin().await?;
    if store::card_payment::set_fees(&mut tx, payment, &transaction.id, fees).await? {
        let (from, to) = (HouseAccount::ProviderFee, HouseAccount::CardReceivable);
        let (from, to) = (Side::House(from), Side::House(to));
        let entry = Entry::new(JournalKind::Fee, payment.uuid(), from, to, fees);
        let posted = store::ledger::post(&mut tx, cx.rng.uuid_v7(now), now, &entry).await?;
        if posted != Posted::Done {
            return Err(anyhow::anyhow!("the fees of a payment were posted before").into());
        }
    }
    Ok(tx.commit().await?)
}

/// Schedules an early verification of open card payments that their player reads: after the return
/// from the page, the player should not wait for an event.
pub(crate) async fn look(cx: &Cx, payments: &[Payment]) {
    let is_open =
        |payment: &&Payment| payment.method == Method::Card && payment.state == State::Submitted;
    for payment in payments.iter().filter(is_open) {
        let hastening = async {
            let mut conn = cx.db.acquire().await?;
            let now = cx.clock.now();
            store::card_payment::hasten(&mut conn, payment.id, now, LOOK_PAUSE).await
        };
        // If this fails, the schedule still verifies the payment.
        if let Err(error) = hastening.await {
            warn!(%error, "cannot have a card payment verified soon");
        }
    }
}

/// Starts the verifications that are due.
pub(crate) async fn verify_cards(cx: &Cx) -> Result<Round, Error> {
    static QUERIES: Queries = Queries::new("verification of a card payment", CONCURRENCY);
    let take = async |conn: &mut PgConnection, limit| {
        store::card_payment::take_due(conn, cx.clock.now(), LEASE, limit).await
    };
    QUERIES
        .start(cx, take, |cx, check: CardCheck| {
            let span = entry_span!(
                parent: None, "wallet.verify_card", payment.id = %check.payment,
                verify = check.verifies
            );
            (span, check.traceparent.clone(), async move { verify(&cx, &check).await })
        })
        .await
}

async fn verify(cx: &Cx, check: &CardCheck) -> Result<(), Error> {
    let reference = CardReference { payment: check.payment, attempt: check.attempts.max(1) };
    let age = Duration::try_from(cx.clock.now() - check.created_at).unwrap_or_default();
    let scheduled = next_verify(age, cx.card_expiry);
    let next = match cx.paystack.verify(reference).await {
        VerifyResult::Found(found) => {
            match apply_transaction(cx, reference, &found, "verification").await? {
                // After a declined card, the payer may try another on the same page.
                CardOutcome::Open | CardOutcome::Mismatch => scheduled,
                CardOutcome::Settled(_) if check.state == State::Succeeded => None,
                CardOutcome::Settled(_) => scheduled,
            }
        }
        VerifyResult::NotFound => scheduled,
        // Paystack gave no answer: retry earlier than scheduled.
        VerifyResult::Unknown => scheduled.map(|slot| slot.min(retry_at(age))),
    };
    let mut conn = cx.db.acquire().await?;
    // `set_due` does nothing for a payment that was paid meanwhile: its lease is lost.
    let due = next.map(|slot| check.created_at + slot);
    Ok(store::card_payment::set_due(&mut conn, check, due).await?)
}
