//! Paystack's events: stored before the reply, and applied afterwards, by an outbox delivery.

use std::time::Duration;

use mesh::{instrument, outbox::Delivery};
use metrics::counter;
use sha2::{Digest, Sha256};
use tracing::error;
use types::Money;
use uuid::Uuid;

use crate::{
    app::{
        Cx,
        card::{
            refund::check_refunds_of,
            verify::{CardOutcome, apply_transaction},
        },
        inbox::CallbackRef,
        payin::settle::{CALLBACK, Settled},
    },
    clients::paystack::{BadEvent, EventContent, VerifyResult, parse_event},
    domain::{CallbackKind, CardReference, CardTransaction, retry_at},
    error::{Error, Refused},
    store::{self, callback::StoredCallback},
};

/// The outbox topic of events to apply.
pub(crate) const CARD_EVENT_TOPIC: &str = "card.event";
/// Longest that an event may wait for Paystack to confirm it.
const CONFIRM_LIMIT: Duration = Duration::from_hours(24);

/// An event as the gateway received it.
#[derive(Debug, Clone)]
pub(crate) struct NewEvent {
    /// The body as received, unchanged.
    pub(crate) body: Vec<u8>,
    /// The signature of the body, in hex.
    pub(crate) signature: String,
    /// The sender's address, for the record.
    pub(crate) source_ip: String,
}

/// Stores an event, once for its kind and the id of its subject, with the outbox row that applies
/// it. An event with a wrong signature is refused, because any client can send it.
#[instrument(name = "wallet.store_card_event", skip_all, fields(callback.id))]
pub(crate) async fn store_card_event(cx: &Cx, event: NewEvent) -> Result<(), Error> {
    if !cx.paystack.is_signed(&event.body, &event.signature) {
        counter!("callbacks_total", "outcome" => "wrong signature").increment(1);
        return Err(Refused::UnknownCallback.into());
    }
    let parsed = parse_event(&event.body);
    let content = match &parsed {
        Ok(parsed) => Sha256::digest(parsed.key.as_bytes()),
        // An unreadable event is stored for an operator.
        Err(BadEvent) => Sha256::digest(&event.body),
    };
    let now = cx.clock.now();
    let stored = StoredCallback {
        id: cx.rng.uuid_v7(now),
        kind: CallbackKind::Paystack,
        // An event has no secret in its path: all events about a payment share one hash.
        secret_hash: parsed.ok().map(|event| about(&event.content)).unwrap_or_default(),
        body: event.body,
        received_at: now,
    };
    tracing::Span::current().record("callback.id", stored.id.to_string());
    let mut tx = cx.db.begin().await?;
    let is_new = store::callback::insert(&mut tx, &stored, &content, &event.source_ip).await?;
    if is_new {
        let payload = CallbackRef { callback: stored.id };
        mesh::outbox::put(&mut tx, &cx.clock, &cx.rng, CARD_EVENT_TOPIC, &payload).await?;
    }
    tx.commit().await?;
    cx.outbox.notify(CARD_EVENT_TOPIC);
    Ok(())
}

/// Returns the hash of the id of the payment that an event is about. It takes the place of a
/// secret's hash.
fn about(content: &EventContent) -> Vec<u8> {
    let reference = match content {
        EventContent::Charge(transaction) => &transaction.reference,
        EventContent::Refund { reference, .. } | EventContent::Dispute { reference, .. } => {
            reference
        }
        EventContent::Other => return Vec::new(),
    };
    CardReference::parse(reference).map_or_else(Vec::new, |reference| {
        Sha256::digest(reference.payment.to_string().as_bytes()).to_vec()
    })
}

/// Applies an event, and stores its outcome. The delivery is put off while Paystack neither
/// confirms nor denies the event.
#[instrument(name = "wallet.apply_card_event", skip_all, fields(callback.id = %id))]
pub(crate) async fn apply_card_event(cx: &Cx, id: Uuid) -> Result<Delivery, Error> {
    let mut conn = cx.db.acquire().await?;
    let Some(stored) = store::callback::find_open(&mut conn, id).await? else {
        return Ok(Delivery::Done);
    };
    drop(conn);
    let outcome = match parse_event(&stored.body) {
        Err(BadEvent) => {
            error!("cannot parse an event of Paystack; callback_inbox has it");
            Some("unreadable")
        }
        Ok(event) => apply(cx, &stored, event.content).await?,
    };
    let Some(outcome) = outcome else {
        let age = Duration::try_from(cx.clock.now() - stored.received_at).unwrap_or_default();
        return Ok(Delivery::Later(retry_at(age).saturating_sub(age)));
    };
    let mut conn = cx.db.acquire().await?;
    store::callback::close(&mut conn, stored.id, outcome).await?;
    counter!("callbacks_total", "outcome" => outcome).increment(1);
    Ok(Delivery::Done)
}

/// Applies an event, and returns its outcome; `None` while the event waits for Paystack's
/// confirmation.
async fn apply(
    cx: &Cx,
    stored: &StoredCallback,
    content: EventContent,
) -> Result<Option<&'static str>, Error> {
    match content {
        EventContent::Charge(transaction) => charge(cx, stored, transaction).await,
        EventContent::Refund { reference, .. } => {
            let Some(reference) = known(cx, &reference).await? else {
                return Ok(Some("unknown reference"));
            };
            // Paystack's reply to a query says more than the event, so have the refund looked for
            // now.
            let is_ours = check_refunds_of(cx, reference.payment).await?;
            Ok(Some(if is_ours { "applied" } else { "unknown refund" }))
        }
        EventContent::Dispute { reference, id, amount, resolution } => {
            dispute(cx, &reference, &id, amount, resolution.as_deref()).await.map(Some)
        }
        // Paystack sends events of all kinds.
        EventContent::Other => Ok(Some("applied")),
    }
}

/// Returns the reference that an event names, if we have sent it to Paystack.
pub(crate) async fn known(cx: &Cx, text: &str) -> Result<Option<CardReference>, Error> {
    let Some(reference) = CardReference::parse(text) else {
        error!("an event has a reference that is none of ours");
        return Ok(None);
    };
    let mut conn = cx.db.acquire().await?;
    let attempts = store::card_payment::attempts(&mut conn, reference.payment).await?;
    let is_known = attempts.is_some_and(|attempts| reference.attempt <= attempts);
    if !is_known {
        error!("an event has a reference that we did not send");
    }
    Ok(is_known.then_some(reference))
}

async fn charge(
    cx: &Cx,
    stored: &StoredCallback,
    mut transaction: CardTransaction,
) -> Result<Option<&'static str>, Error> {
    let Some(reference) = known(cx, &transaction.reference).await? else {
        return Ok(Some("unknown reference"));
    };
    if transaction.amount >= cx.confirm_from {
        // A signature alone is trusted for small amounts only.
        match cx.paystack.verify(reference).await {
            VerifyResult::Found(found) => transaction = found,
            VerifyResult::NotFound => {
                error!("an event says paid, and Paystack has no such transaction");
                return Ok(Some("not confirmed"));
            }
            VerifyResult::Unknown if cx.clock.now() - stored.received_at < CONFIRM_LIMIT => {
                return Ok(None);
            }
            VerifyResult::Unknown => return Ok(Some("unconfirmed")),
        }
    }
    Ok(Some(match apply_transaction(cx, reference, &transaction, CALLBACK).await? {
        CardOutcome::Settled(Settled::Applied) => "applied",
        CardOutcome::Settled(Settled::ReceiptUsed) => "receipt already used",
        CardOutcome::Settled(Settled::SecondReceipt) => "second receipt",
        CardOutcome::Settled(Settled::OtherAmount) => "another amount",
        CardOutcome::Open => "not confirmed",
        CardOutcome::Mismatch => "mismatch",
    }))
}

/// Marks a payment as disputed, for operators. No money moves.
async fn dispute(
    cx: &Cx,
    reference: &str,
    id: &str,
    amount: Option<Money>,
    resolution: Option<&str>,
) -> Result<&'static str, Error> {
    let Some(reference) = known(cx, reference).await? else { return Ok("unknown reference") };
    let (payment, now) = (reference.payment, cx.clock.now());
    let mut conn = cx.db.acquire().await?;
    let is_new =
        store::card_payment::set_dispute(&mut conn, payment, id, amount, resolution, now).await?;
    if is_new {
        let state = if resolution.is_some() { "resolved" } else { "open" };
        error!(payment.id = %payment, state, "a card payment is disputed");
        counter!("card_disputes_total", "state" => state).increment(1);
    }
    Ok("applied")
}
