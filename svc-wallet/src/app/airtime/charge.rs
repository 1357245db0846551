//! Paying for the Bronze package by airtime. An outbox delivery charges the phone, in the
//! trace of the request.
//!
//! The carrier cannot recognise a charge that is sent twice, and has no query, so a charge is
//! sent once: by the delivery that moves the payment from CREATED to SUBMITTING. After a lost
//! reply the carrier's notification decides, or the payment expires; a notification that is
//! late still counts.

use std::time::Duration;

use anyhow::Context as _;
use mesh::{idempotency::RequestId, instrument, jobs::Round, outbox::Delivery};
use metrics::counter;
use tracing::{error, warn};

use crate::{
    app::{
        Cx,
        attempt::{Attempt, check_limits, insert},
        inbox::secret,
        payin::{push::PaymentRef, settle::settle},
        payment_changed::publish_payment_changed,
        repeated::get_concurrent,
    },
    domain::{
        CONSENT_VERSION, CallbackKind, ChargeResult, Failure, Payment, PaymentId, ProviderRefusal,
        State, UNRESOLVED_AFTER, is_safaricom,
    },
    error::{Error, Refused},
    store::{
        self,
        airtime_charge::{Consent, NewCharge},
    },
};

/// The outbox topic of charges to send.
pub(crate) const AIRTIME_TOPIC: &str = "airtime.charge";

/// A payment younger than this waits for the carrier when it is out of reach.
const WAIT_FOR_CARRIER: Duration = Duration::from_secs(15);
/// Pause between two tries to reach the carrier.
const RETRY_PAUSE: Duration = Duration::from_secs(1);
/// Nothing is charged for a payment older than this: its player has left, or tried again.
const STALE: Duration = Duration::from_mins(1);
/// Maximum charges given up per round.
const BATCH: i64 = 100;

/// Stores a new payment by airtime with the player's consent, and the outbox row that charges
/// the phone.
pub(crate) async fn start(
    cx: &Cx,
    mut payment: Payment,
    attempt: Attempt<'_>,
) -> Result<Payment, Error> {
    let phone = payment.phone.clone().filter(is_safaricom).ok_or(Refused::InvalidPhone)?;
    payment.phone = Some(phone.clone());
    let mut tx = cx.db.begin().await?;
    if !insert(&mut tx, &payment, attempt).await? {
        return get_concurrent(&mut tx, payment.payer, attempt.request, attempt.fingerprint).await;
    }
    check_limits(&mut tx, &payment).await?;
    let charge = NewCharge {
        payment: payment.id,
        request_id: &new_request_id(cx),
        phone: &phone,
        consent: consent(&payment, attempt.request),
        query_due_at: payment.created_at + UNRESOLVED_AFTER,
    };
    store::airtime_charge::insert(&mut tx, &charge).await?;
    let payload = PaymentRef { payment: payment.id };
    mesh::outbox::put(&mut tx, &cx.clock, &cx.rng, AIRTIME_TOPIC, &payload).await?;
    tx.commit().await?;
    cx.outbox.notify(AIRTIME_TOPIC);
    Ok(payment)
}

/// Builds the consent to a charge from the request, which is the player's consent.
fn consent<'a>(payment: &Payment, request: &'a RequestId) -> Consent<'a> {
    Consent {
        at: payment.created_at,
        version: CONSENT_VERSION,
        player: payment.payer,
        request: request.as_str(),
        amount: payment.amount,
    }
}

/// Creates our id of a charge at the carrier. It must not be guessable, because the carrier's
/// notification identifies the charge by it.
fn new_request_id(cx: &Cx) -> String {
    secret::generate(cx, CallbackKind::Airtime)
}

/// Charges the phone of a payment, unless it was charged before. The delivery is put off while the
/// carrier is out of reach and the payment is young. After an error nothing was sent.
#[instrument(name = "wallet.charge_airtime", skip_all, fields(payment.id = %id))]
pub(crate) async fn charge(cx: &Cx, id: PaymentId) -> Result<Delivery, Error> {
    // Get the token before the payment is claimed: a failure here means that nothing was sent.
    let reachable = cx.carrier.has_token().await;
    let mut tx = cx.db.begin().await?;
    let payment = store::payment::lock(&mut tx, id).await?;
    if payment.state != State::Created {
        return Ok(Delivery::Done);
    }
    let now = cx.clock.now();
    if !reachable && now - payment.created_at < WAIT_FOR_CARRIER {
        return Ok(Delivery::Later(RETRY_PAUSE));
    }
    let request_id = store::airtime_charge::request_id(&mut tx, id).await?;
    store::payment::advance(&mut tx, &payment, State::Submitting, "charge", now).await?;
    tx.commit().await?;
    if !reachable || now - payment.created_at > STALE {
        apply(cx, id, not_sent()).await?;
        return Ok(Delivery::Done);
    }
    let own = cx.clone();
    let sending = async move { send(&own, &payment, &request_id).await };
    cx.shutdown.run_apart("charge", sending).await??;
    Ok(Delivery::Done)
}

/// Activates the offer for the phone, and charges it.
async fn send(cx: &Cx, payment: &Payment, request_id: &str) -> Result<(), Error> {
    let phone = payment.phone.as_ref().context("a charge without a phone")?;
    let result = match cx.carrier.activate(request_id, phone).await {
        // Nothing was charged yet.
        ChargeResult::NotSent | ChargeResult::Unknown => not_sent(),
        ChargeResult::Refused(refusal) => ChargeResult::Refused(refusal),
        ChargeResult::Charged { .. } | ChargeResult::Pending => {
            match cx.carrier.charge(request_id, phone, payment.amount).await {
                ChargeResult::NotSent => not_sent(),
                result => result,
            }
        }
    };
    apply(cx, payment.id, result).await
}

fn not_sent() -> ChargeResult {
    let failure = Failure::AirtimeUnreachable;
    ChargeResult::Refused(ProviderRefusal { failure, code: "NOT_SENT".to_owned() })
}

/// Stores what the carrier replied. The notification may have been applied before.
async fn apply(cx: &Cx, id: PaymentId, result: ChargeResult) -> Result<(), Error> {
    if let Some(evidence) = result.evidence() {
        return settle(cx, id, &evidence, "charge").await.map(drop);
    }
    if result == ChargeResult::Unknown {
        warn!("the carrier's reply to a charge was lost; its notification or the expiry decides");
        return Ok(());
    }
    let mut tx = cx.db.begin().await?;
    let payment = store::payment::lock(&mut tx, id).await?;
    if payment.state == State::Submitting {
        let now = cx.clock.now();
        store::payment::advance(&mut tx, &payment, State::Submitted, "accepted", now).await?;
    }
    tx.commit().await?;
    publish_payment_changed(cx, id);
    Ok(())
}

/// Counts charges that had no result for a day, once each.
pub(crate) async fn give_up_charges(cx: &Cx) -> Result<Round, Error> {
    let mut conn = cx.db.acquire().await?;
    let given_up = store::airtime_charge::give_up_due(&mut conn, cx.clock.now(), BATCH).await?;
    for payment in &given_up {
        counter!("payments_unresolved_total").increment(1);
        error!(payment.id = %payment, "a charge to airtime had no result for a day; only the carrier's statement has it");
    }
    Ok(Round::of_batch(given_up.len() as u64, BATCH.unsigned_abs()))
}
