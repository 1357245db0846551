//! Webhooks: events that are signed with the secret key and posted until the business
//! answers with 200.

use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha512;
use time::OffsetDateTime;

use super::transactions::{customer, view};
use crate::clock;
use crate::world::World;
use crate::world::card::{CardPayment, Dispute, Refund};
use crate::world::outgoing::Outgoing;
use crate::world::state::{Fact, WorldState};

/// The event `charge.success`.
pub(super) fn charge(
    world: &World,
    state: &WorldState,
    card: &CardPayment,
    at: OffsetDateTime,
) -> Vec<Fact> {
    event(world, state, "charge.success", &card.reference, view(card), at)
}

/// An event about a refund: `refund.pending`, `processing`, `processed`, `failed`.
pub(super) fn refund(
    world: &World,
    state: &WorldState,
    card: &CardPayment,
    refund: &Refund,
    at: OffsetDateTime,
) -> Vec<Fact> {
    let status = json!(refund.status);
    let data = json!({
        "status": status,
        "transaction_reference": card.reference,
        "refund_reference": null,
        "amount": refund.amount_cents,
        "currency": card.currency,
        "customer": customer(card),
        "integration": 100_043,
        "domain": "test",
        "id": refund.id.to_string(),
        "customer_note": refund.customer_note,
        "merchant_note": refund.merchant_note,
    });
    let name = format!("refund.{}", status.as_str().unwrap_or_default());
    event(world, state, &name, &card.reference, data, at)
}

/// An event about a dispute: `create`, `remind`, `resolve`.
pub(super) fn dispute(
    world: &World,
    state: &WorldState,
    name: &str,
    card: &CardPayment,
    dispute: &Dispute,
    at: OffsetDateTime,
) -> Vec<Fact> {
    let data = json!({
        "id": dispute.id,
        "refund_amount": card.amount_cents,
        "currency": card.currency,
        "status": dispute.status,
        "resolution": dispute.resolution,
        "domain": "test",
        "category": "chargeback",
        "note": null,
        "attachments": null,
        "transaction": view(card),
        "transaction_reference": card.reference,
        "customer": customer(card),
        "dueAt": clock::zoned(dispute.created_at + time::Duration::hours(72)),
        "created_at": clock::zoned(dispute.created_at),
    });
    event(world, state, &format!("charge.dispute.{name}"), &card.reference, data, at)
}

fn event(
    world: &World,
    state: &WorldState,
    name: &str,
    reference: &str,
    data: Value,
    at: OffsetDateTime,
) -> Vec<Fact> {
    let settings = &state.settings;
    let body = json!({ "event": name, "data": data }).to_string();
    let signature = sign(&world.paystack.secret_key, &body);
    let due = at + std::time::Duration::from_millis(settings.webhook_delay_ms);
    let url = &world.paystack.webhook_url;
    let outgoing = || Outgoing {
        signature: Some(signature.clone()),
        attempts_left: settings.webhook_attempts,
        retry_ms: settings.webhook_retry_ms,
        ..Outgoing::once(name, reference, url, body.clone(), due)
    };
    (0..settings.webhook_copies.min(20)).map(|_| Fact::Outgoing(Box::new(outgoing()))).collect()
}

/// The HMAC of the body as it is sent, in hex.
fn sign(key: &str, body: &str) -> String {
    let Ok(mut mac) = Hmac::<Sha512>::new_from_slice(key.as_bytes()) else {
        // Cannot happen: HMAC takes keys of any length.
        return String::new();
    };
    mac.update(body.as_bytes());
    hex::encode(mac.finalize().into_bytes())
}

#[cfg(test)]
mod tests {
    #[test]
    fn signs_with_hmac_sha512_in_hex() {
        // RFC 4231, test case 2.
        let expected = "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737";
        assert_eq!(super::sign("Jefe", "what do ya want for nothing?"), expected);
    }
}
