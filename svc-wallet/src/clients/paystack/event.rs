//! Paystack's events, and their signature.

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::Deserialize;
use serde_json::Value;
use sha2::Sha512;
use thiserror::Error;
use types::Money;

use super::{refund_state::RefundState, wire};
use crate::domain::CardTransaction;

/// A parsed event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CardEvent {
    /// Identifies the event, however often it is sent.
    pub(crate) key: String,
    pub(crate) content: EventContent,
}

/// The content of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EventContent {
    /// A transaction was paid.
    Charge(CardTransaction),
    /// The state of a refund.
    Refund {
        /// The reference of the transaction that is given back.
        reference: String,
        /// Paystack's id of the refund; some events lack it.
        id: Option<String>,
        state: RefundState,
        amount: Option<Money>,
    },
    /// The card's owner disputes a transaction.
    Dispute {
        reference: String,
        id: String,
        amount: Option<Money>,
        /// How it was resolved; `None` while it is open.
        resolution: Option<String>,
    },
    /// An event of another kind: nothing to do.
    Other,
}

/// The body is not an event. The error has no cause, which could quote personal data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("not an event of Paystack")]
pub(crate) struct BadEvent;

/// Whether the signature is the hexadecimal HMAC-SHA512 of the body.
pub(super) fn is_signed(key: &str, body: &[u8], signature: &str) -> bool {
    let Ok(signature) = hex::decode(signature) else { return false };
    let Ok(mut mac) = Hmac::<Sha512>::new_from_slice(key.as_bytes()) else { return false };
    mac.update(body);
    // `verify_slice` compares in constant time.
    mac.verify_slice(&signature).is_ok()
}

#[derive(Deserialize)]
struct EventBody {
    event: String,
    data: Value,
}

/// Parses an event whose signature is right.
pub(crate) fn parse_event(body: &[u8]) -> Result<CardEvent, BadEvent> {
    let EventBody { event, data } = serde_json::from_slice(body).map_err(|_| BadEvent)?;
    let text = |path: &str| data.pointer(path).and_then(plain);
    // Refunds have an id of their own in some versions only.
    let id = text("/id").or_else(|| text("/refund_reference")).or_else(|| {
        // Without an id, the reference and the amount identify a refund best.
        Some(format!("{}/{}", text("/transaction_reference")?, text("/amount")?))
    });
    let key = format!("{event}/{}", id.ok_or(BadEvent)?);
    let reference = || {
        let found = text("/transaction_reference")
            .or_else(|| text("/transaction/reference"))
            .or_else(|| text("/reference"));
        found.ok_or(BadEvent)
    };
    let content = match event.as_str() {
        "charge.success" => {
            let charge: wire::Transaction =
                serde_json::from_value(data.clone()).map_err(|_| BadEvent)?;
            EventContent::Charge(charge.parse().ok_or(BadEvent)?)
        }
        "charge.dispute.create" | "charge.dispute.remind" | "charge.dispute.resolve" => {
            EventContent::Dispute {
                reference: reference()?,
                id: text("/id").ok_or(BadEvent)?,
                amount: data.get("refund_amount").and_then(wire::cents),
                resolution: (event == "charge.dispute.resolve")
                    .then(|| text("/resolution").unwrap_or_else(|| "resolved".to_owned())),
            }
        }
        "refund.pending" | "refund.processing" | "refund.processed" | "refund.failed" => {
            let state = event.trim_start_matches("refund.");
            EventContent::Refund {
                reference: reference()?,
                id: text("/id"),
                state: wire::refund_state(state),
                amount: data.get("amount").and_then(wire::cents),
            }
        }
        _ => EventContent::Other,
    };
    Ok(CardEvent { key, content })
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::CardStatus;

    const KEY: &str = "sk_test_1";

    fn sign(body: &[u8]) -> String {
        let mut mac = Hmac::<Sha512>::new_from_slice(KEY.as_bytes()).unwrap();
        mac.update(body);
        hex::encode(mac.finalize().into_bytes())
    }

    #[test]
    fn only_the_signature_of_the_whole_body_by_our_key_is_right() {
        let body = br#"{"event":"charge.success","data":{}}"#;
        let right = sign(body);
        assert!(is_signed(KEY, body, &right));
        assert!(is_signed(KEY, body, &right.to_uppercase()));
        assert!(!is_signed("sk_test_2", body, &right));
        assert!(!is_signed(KEY, br#"{"event":"charge.success","data":{} }"#, &right));
        for wrong in ["", "zz", &right[1..], &right[..126], &format!("{right}00")] {
            assert!(!is_signed(KEY, body, wrong), "{wrong}");
        }
    }

    #[test]
    fn parses_a_charge_a_refund_and_a_dispute() {
        let charge = br#"{"event":"charge.success","data":{"id":302961,"domain":"live",
            "status":"success","reference":"r","amount":10000,"currency":"KES",
            "paid_at":"2026-11-20T12:00:00.000Z","fees":290,"channel":"card"}}"#;
        let event = parse_event(charge).unwrap();
        assert_eq!(event.key, "charge.success/302961");
        let EventContent::Charge(charge) = event.content else { panic!("{event:?}") };
        assert_eq!((charge.id.as_str(), charge.status), ("302961", CardStatus::Success));
        assert_eq!(charge.amount, Money::from_shillings(100));
        assert!(charge.is_live && charge.paid_at.is_some());

        let refund = br#"{"event":"refund.processed","data":{"status":"processed",
            "transaction_reference":"r","refund_reference":"x1","amount":"10000",
            "currency":"KES","domain":"live"}}"#;
        let event = parse_event(refund).unwrap();
        assert_eq!(event.key, "refund.processed/x1");
        assert_eq!(
            event.content,
            EventContent::Refund {
                reference: "r".into(),
                id: None,
                state: RefundState::Done,
                amount: Some(Money::from_shillings(100)),
            }
        );

        let dispute = br#"{"event":"charge.dispute.create","data":{"id":358950,
            "refund_amount":5800,"currency":"KES","resolution":null,
            "transaction":{"id":896467688,"reference":"r","amount":5800}}}"#;
        let event = parse_event(dispute).unwrap();
        assert_eq!(
            event.content,
            EventContent::Dispute {
                reference: "r".into(),
                id: "358950".into(),
                amount: Some(Money::from_shillings(58)),
                resolution: None,
            }
        );
    }

    #[test]
    fn other_events_are_known_by_their_id_and_other_bodies_are_refused() {
        let event = parse_event(br#"{"event":"transfer.success","data":{"id":1}}"#).unwrap();
        assert_eq!(event.content, EventContent::Other);
        for body in [&b""[..], b"{}", b"[]", br#"{"event":"charge.success","data":{"id":1}}"#] {
            assert_eq!(parse_event(body), Err(BadEvent));
        }
    }
}
