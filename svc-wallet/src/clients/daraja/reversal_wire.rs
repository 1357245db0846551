//! Messages of reversals, with Daraja's field names.

use serde::Serialize;
use tracing::error;

use super::{b2c_wire::parse, wire::BadCallback};
use crate::domain::{ReversalEvent, ReversalResult};

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct ReversalRequest<'a> {
    pub(super) initiator: &'a str,
    pub(super) security_credential: &'a str,
    #[serde(rename = "CommandID")]
    pub(super) command_id: &'a str,
    /// The receipt that is reversed.
    #[serde(rename = "TransactionID")]
    pub(super) transaction_id: &'a str,
    pub(super) amount: i64,
    pub(super) receiver_party: &'a str,
    /// Daraja's misspelling.
    #[serde(rename = "RecieverIdentifierType")]
    pub(super) receiver_identifier_type: &'a str,
    #[serde(rename = "ResultURL")]
    pub(super) result_url: &'a str,
    #[serde(rename = "QueueTimeOutURL")]
    pub(super) queue_time_out_url: &'a str,
    pub(super) remarks: &'a str,
    pub(super) occasion: &'a str,
}

/// The result of a reversal, or of a query about its receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReversalReport {
    /// The receipt of the payment that is reversed.
    pub(crate) receipt: Option<String>,
    /// M-Pesa's receipt of the reversal itself.
    pub(crate) reversal_receipt: Option<String>,
    /// Daraja's id of the reversal.
    pub(crate) conversation_id: Option<String>,
    pub(crate) code: String,
    /// `None` when a query does not say whether the money was given back.
    pub(crate) event: Option<ReversalEvent>,
}

/// Parses the result of a reversal.
pub(crate) fn parse_reversal_result(body: &[u8]) -> Result<ReversalReport, BadCallback> {
    let result = parse(body)?;
    let code = result.result_code.as_str();
    let (event, reversal_receipt) = match ReversalResult::parse(code) {
        ReversalResult::Reversed => {
            let amount = result.amount("Amount")?;
            let receipt = result.transaction_id.clone().filter(|id| !id.is_empty());
            (ReversalEvent::Reversed { amount }, receipt)
        }
        // The transaction id is that of this call, which moved nothing.
        ReversalResult::AlreadyReversed => (ReversalEvent::Reversed { amount: None }, None),
        ReversalResult::Refused => (ReversalEvent::Refused, None),
        ReversalResult::Misconfigured => {
            error!(code, "M-Pesa refuses our set-up for reversals");
            (ReversalEvent::Refused, None)
        }
        ReversalResult::Unknown => {
            error!(code, "a reversal's result does not say what became of it");
            (ReversalEvent::Doubtful, None)
        }
    };
    Ok(ReversalReport {
        receipt: result.id("OriginalTransactionID"),
        reversal_receipt,
        event: Some(event),
        conversation_id: result.conversation_id,
        code: result.result_code,
    })
}

/// Parses the result of a query about the receipt. "Completed" says that the payment was made; its
/// reversal may still be under way.
pub(crate) fn parse_reversal_status(body: &[u8]) -> Result<ReversalReport, BadCallback> {
    let result = parse(body)?;
    let status = result.item("TransactionStatus").unwrap_or_default();
    let is_reversed = result.result_code == "0" && status.eq_ignore_ascii_case("reversed");
    // The amount is the payment's, not the amount that was given back.
    let event = is_reversed.then_some(ReversalEvent::Reversed { amount: None });
    Ok(ReversalReport {
        receipt: result.id("ReceiptNo"),
        reversal_receipt: None,
        // The id in the body is the query's own, or the payment's.
        conversation_id: None,
        code: status.to_uppercase(),
        event,
    })
}

#[cfg(test)]
mod tests {
    use types::Money;

    use super::*;

    #[test]
    fn a_result_names_the_receipt_and_the_amount() {
        let body = br#"{"Result":{"ResultCode":0,"ConversationID":"AG_1","TransactionID":"BACK1",
            "ResultParameters":{"ResultParameter":[
            {"Key":"Amount","Value":100.00},{"Key":"Charge","Value":0.00},
            {"Key":"OriginalTransactionID","Value":"R1"}]}}}"#;
        let report = parse_reversal_result(body).unwrap();
        assert_eq!(report.receipt.as_deref(), Some("R1"));
        assert_eq!(report.reversal_receipt.as_deref(), Some("BACK1"));
        assert_eq!(report.conversation_id.as_deref(), Some("AG_1"));
        let amount = Some(Money::from_shillings(100));
        assert_eq!(report.event, Some(ReversalEvent::Reversed { amount }));
    }

    #[test]
    fn text_codes_are_results_too() {
        let event = |code: &str| {
            let body = format!(r#"{{"Result":{{"ResultCode":{code},"TransactionID":"X"}}}}"#);
            let report = parse_reversal_result(body.as_bytes()).unwrap();
            assert_eq!(report.reversal_receipt, None);
            report.event
        };
        assert_eq!(event("\"R000001\""), Some(ReversalEvent::Reversed { amount: None }));
        assert_eq!(event("\"R000002\""), Some(ReversalEvent::Refused));
        assert_eq!(event("1"), Some(ReversalEvent::Refused));
        assert_eq!(event("17"), Some(ReversalEvent::Doubtful));
    }

    #[test]
    fn only_a_status_that_says_reversed_is_an_outcome() {
        let body = |code: &str, status: &str| {
            format!(
                r#"{{"Result":{{"ResultCode":{code},"ResultParameters":{{"ResultParameter":[
                {{"Key":"ReceiptNo","Value":"R1"}},{{"Key":"Amount","Value":100}},
                {{"Key":"TransactionStatus","Value":"{status}"}}]}}}}}}"#
            )
        };
        let event = |code, status| parse_reversal_status(body(code, status).as_bytes()).unwrap();
        let reversed = event("0", "Reversed");
        assert_eq!(reversed.event, Some(ReversalEvent::Reversed { amount: None }));
        assert_eq!(reversed.receipt.as_deref(), Some("R1"));
        for (code, status) in [("0", "Completed"), ("0", "Failed"), ("1", "Reversed"), ("0", "")] {
            assert_eq!(event(code, status).event, None, "{code} {status}");
        }
    }

    #[test]
    fn refuses_other_bodies() {
        for body in [&b""[..], b"{}", b"[]", b"{\"Result\":{}}", b"\xff\xfe"] {
            assert!(parse_reversal_result(body).is_err());
            assert!(parse_reversal_status(body).is_err());
        }
    }
}
