//! Messages of B2C and of the transaction status query, with Daraja's field names.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tracing::error;
use types::{Money, Msisdn};

use super::{
    timestamp,
    wire::{BadCallback, plain, positive, text},
};
use crate::domain::{Evidence, Failure, PayoutResult, ProviderRefusal};

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct PayoutRequest<'a> {
    #[serde(rename = "OriginatorConversationID")]
    pub(super) originator_conversation_id: &'a str,
    pub(super) initiator_name: &'a str,
    pub(super) security_credential: &'a str,
    #[serde(rename = "CommandID")]
    pub(super) command_id: &'a str,
    pub(super) amount: i64,
    pub(super) party_a: &'a str,
    pub(super) party_b: &'a str,
    pub(super) remarks: &'a str,
    #[serde(rename = "QueueTimeOutURL")]
    pub(super) queue_time_out_url: &'a str,
    #[serde(rename = "ResultURL")]
    pub(super) result_url: &'a str,
    /// Daraja's misspelling.
    #[serde(rename = "Occassion")]
    pub(super) occasion: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct StatusRequest<'a> {
    pub(super) initiator: &'a str,
    pub(super) security_credential: &'a str,
    #[serde(rename = "CommandID")]
    pub(super) command_id: &'a str,
    #[serde(rename = "OriginalConversationID", skip_serializing_if = "Option::is_none")]
    pub(super) original_conversation_id: Option<&'a str>,
    /// A receipt.
    #[serde(rename = "TransactionID", skip_serializing_if = "Option::is_none")]
    pub(super) transaction_id: Option<&'a str>,
    pub(super) party_a: &'a str,
    pub(super) identifier_type: &'a str,
    #[serde(rename = "ResultURL")]
    pub(super) result_url: &'a str,
    #[serde(rename = "QueueTimeOutURL")]
    pub(super) queue_time_out_url: &'a str,
    pub(super) remarks: &'a str,
    pub(super) occasion: &'a str,
}

/// Daraja's reply to a payout, a query or a reversal.
#[derive(Deserialize)]
pub(super) struct Accepted {
    #[serde(rename = "ResponseCode", deserialize_with = "text")]
    pub(super) response_code: String,
    #[serde(rename = "ConversationID", default)]
    pub(super) conversation_id: String,
}

/// The result of a payout, or of a query about a payout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Report {
    /// Our id of the payout: the payment's id.
    pub(crate) originator_conversation_id: Option<String>,
    /// Daraja's id of the payout.
    pub(crate) conversation_id: Option<String>,
    /// The phone that got the money; absent when no phone did, or when the number is masked.
    pub(crate) phone: Option<Msisdn>,
    /// `None` when the report does not say whether the money left.
    pub(crate) evidence: Option<Evidence>,
    /// The balance of our account for payouts.
    pub(crate) float: Option<Money>,
}

/// Parses the result of a payout.
pub(crate) fn parse_payout_result(body: &[u8]) -> Result<Report, BadCallback> {
    let result = parse(body)?;
    let evidence = match PayoutResult::parse(&result.result_code) {
        PayoutResult::Paid => {
            let receipt = result.item("TransactionReceipt").or(result.transaction_id.clone());
            Some(Evidence::Paid {
                receipt,
                amount: result.amount("TransactionAmount")?,
                at: result
                    .item("TransactionCompletedDateTime")
                    .as_deref()
                    .and_then(timestamp::parse_dotted),
            })
        }
        PayoutResult::Refused(failure) => Some(refused(failure, &result.result_code)),
        PayoutResult::Misconfigured => {
            error!(code = result.result_code, "M-Pesa refuses our set-up for payouts");
            Some(refused(Failure::ProviderError, &result.result_code))
        }
        PayoutResult::Unknown => {
            error!(code = result.result_code, "a payout's result does not say what became of it");
            None
        }
    };
    Ok(Report {
        phone: result.receiver(),
        float: result
            .item("B2CUtilityAccountAvailableFunds")
            .and_then(|text| Money::parse(&text).ok()),
        originator_conversation_id: result.originator_conversation_id,
        conversation_id: result.conversation_id,
        evidence,
    })
}

/// Parses the result of a status query. Its ids are those of the payout that was queried, not those
/// of the query itself.
pub(crate) fn parse_status_result(body: &[u8]) -> Result<Report, BadCallback> {
    let result = parse(body)?;
    let evidence = match (result.result_code.as_str(), result.item("TransactionStatus")) {
        // The query failed, which does not decide the payout.
        (code, None) => {
            error!(code, "a status query has no status");
            None
        }
        ("0", Some(status)) => match status.to_lowercase().as_str() {
            "completed" => Some(Evidence::Paid {
                receipt: result.item("ReceiptNo"),
                amount: result.amount("Amount")?,
                at: result.item("FinalisedTime").as_deref().and_then(timestamp::parse),
            }),
            "failed" | "cancelled" | "canceled" | "declined" | "expired" | "rejected" => {
                Some(refused(Failure::ProviderError, &status))
            }
            _ => None,
        },
        (code, Some(_)) => {
            error!(code, "a status query failed");
            None
        }
    };
    Ok(Report {
        originator_conversation_id: result.id("OriginatorConversationID"),
        conversation_id: result.id("ConversationID"),
        phone: None,
        evidence,
        float: None,
    })
}

fn refused(failure: Failure, code: &str) -> Evidence {
    Evidence::Refused { refusal: ProviderRefusal { failure, code: code.to_owned() } }
}

/// Parses the body that Daraja posts to a `ResultURL`.
pub(super) fn parse(body: &[u8]) -> Result<ResultBody, BadCallback> {
    let envelope: CallbackBody = serde_json::from_slice(body).map_err(|_| BadCallback)?;
    let mut result = envelope.result;
    // An empty id means none: it must not count as different from the id of the reply.
    for id in [&mut result.originator_conversation_id, &mut result.conversation_id] {
        *id = id.take().filter(|id| !id.is_empty());
    }
    Ok(result)
}

#[derive(Deserialize)]
struct CallbackBody {
    #[serde(rename = "Result")]
    result: ResultBody,
}

/// A result of any kind of request.
#[derive(Deserialize)]
pub(super) struct ResultBody {
    #[serde(rename = "ResultCode", deserialize_with = "text")]
    pub(super) result_code: String,
    #[serde(rename = "OriginatorConversationID")]
    originator_conversation_id: Option<String>,
    #[serde(rename = "ConversationID")]
    pub(super) conversation_id: Option<String>,
    #[serde(rename = "TransactionID")]
    pub(super) transaction_id: Option<String>,
    /// Absent from a failure; the list may be a single object.
    #[serde(rename = "ResultParameters", default)]
    parameters: Parameters,
}

#[derive(Default, Deserialize)]
struct Parameters {
    #[serde(rename = "ResultParameter", default)]
    list: OneOrMany,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    Many(Vec<Parameter>),
    One(Parameter),
}

impl Default for OneOrMany {
    fn default() -> Self {
        Self::Many(Vec::new())
    }
}

#[derive(Deserialize)]
struct Parameter {
    #[serde(rename = "Key")]
    key: String,
    #[serde(rename = "Value")]
    value: Option<Value>,
}

impl ResultBody {
    /// Returns the first parameter of this name: Daraja sends some twice.
    pub(super) fn item(&self, key: &str) -> Option<String> {
        let list = match &self.parameters.list {
            OneOrMany::Many(list) => list.as_slice(),
            OneOrMany::One(parameter) => std::slice::from_ref(parameter),
        };
        let found = list.iter().find(|parameter| parameter.key == key)?;
        found.value.as_ref().and_then(plain)
    }

    /// Returns an id by its name; `None` for an empty one.
    pub(super) fn id(&self, key: &str) -> Option<String> {
        self.item(key).filter(|id| !id.is_empty())
    }

    /// Returns an amount by its name. An amount that cannot be parsed is an error: it must not
    /// count as a match.
    pub(super) fn amount(&self, key: &str) -> Result<Option<Money>, BadCallback> {
        self.item(key).map(|text| positive(&text)).transpose()
    }

    /// Returns the phone in `254712345678 - AMINA`.
    fn receiver(&self) -> Option<Msisdn> {
        let name = self.item("ReceiverPartyPublicName")?;
        Msisdn::parse(name.split(" - ").next()?.trim()).ok()
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn parses_the_result_of_a_payout() {
        let body = br#"{"Result":{"ResultType":0,"ResultCode":0,"ResultDesc":"ok",
            "OriginatorConversationID":"ours","ConversationID":"AG_1","TransactionID":"SG632NMUAB",
            "ResultParameters":{"ResultParameter":[{"Key":"TransactionAmount","Value":100},
            {"Key":"TransactionReceipt","Value":"SG632NMUAB"},
            {"Key":"ReceiverPartyPublicName","Value":"254712345678 - AMINA"},
            {"Key":"TransactionCompletedDateTime","Value":"06.07.2024 22:48:52"},
            {"Key":"B2CUtilityAccountAvailableFunds","Value":1500.00}]},
            "ReferenceData":{"ReferenceItem":{"Key":"QueueTimeoutURL","Value":"x"}}}}"#;
        let report = parse_payout_result(body).unwrap();
        assert_eq!(report.originator_conversation_id.as_deref(), Some("ours"));
        assert_eq!(report.conversation_id.as_deref(), Some("AG_1"));
        assert_eq!(report.phone, Msisdn::parse("254712345678").ok());
        assert_eq!(report.float, Some(Money::from_shillings(1500)));
        assert_eq!(
            report.evidence,
            Some(Evidence::Paid {
                receipt: Some("SG632NMUAB".into()),
                amount: Some(Money::from_shillings(100)),
                at: Some(datetime!(2024-07-06 19:48:52 UTC)),
            })
        );
    }

    #[test]
    fn one_parameter_may_come_without_its_list() {
        let body = br#"{"Result":{"ResultCode":"0","TransactionID":"R1","ResultParameters":
            {"ResultParameter":{"Key":"TransactionAmount","Value":"100"}}}}"#;
        let Some(Evidence::Paid { receipt, amount, .. }) =
            parse_payout_result(body).unwrap().evidence
        else {
            panic!("not paid")
        };
        assert_eq!((receipt.as_deref(), amount), (Some("R1"), Some(Money::from_shillings(100))));
    }

    #[test]
    fn an_empty_id_is_none() {
        let body = br#"{"Result":{"ResultCode":0,"OriginatorConversationID":"",
            "ConversationID":"","TransactionID":"R1"}}"#;
        let report = parse_payout_result(body).unwrap();
        assert_eq!((report.originator_conversation_id, report.conversation_id), (None, None));
        let body = br#"{"Result":{"ResultCode":0,"ResultParameters":{"ResultParameter":[
            {"Key":"OriginatorConversationID","Value":""},{"Key":"ConversationID","Value":""},
            {"Key":"TransactionStatus","Value":"Completed"}]}}}"#;
        let report = parse_status_result(body).unwrap();
        assert_eq!((report.originator_conversation_id, report.conversation_id), (None, None));
    }

    #[test]
    fn a_refusal_has_no_parameters() {
        let body = br#"{"Result":{"ResultCode":2040,"ResultDesc":"no"}}"#;
        let evidence = parse_payout_result(body).unwrap().evidence;
        assert_eq!(evidence, Some(refused(Failure::NotMpesa, "2040")));
        let unknown = br#"{"Result":{"ResultCode":17,"ResultDesc":"internal"}}"#;
        assert_eq!(parse_payout_result(unknown).unwrap().evidence, None);
    }

    #[test]
    fn a_status_names_the_payout_it_found() {
        let body = |status: &str| {
            format!(
                r#"{{"Result":{{"ResultCode":0,"OriginatorConversationID":"the query's",
                "ResultParameters":{{"ResultParameter":[
                {{"Key":"DebitPartyName","Value":"one"}},{{"Key":"DebitPartyName","Value":"two"}},
                {{"Key":"TransactionStatus","Value":"{status}"}},{{"Key":"ReceiptNo","Value":"R1"}},
                {{"Key":"Amount","Value":100}},{{"Key":"FinalisedTime","Value":20240706224852}},
                {{"Key":"OriginatorConversationID","Value":"ours"}}]}}}}}}"#
            )
        };
        let report = parse_status_result(body("Completed").as_bytes()).unwrap();
        assert_eq!(report.originator_conversation_id.as_deref(), Some("ours"));
        assert_eq!(
            report.evidence,
            Some(Evidence::Paid {
                receipt: Some("R1".into()),
                amount: Some(Money::from_shillings(100)),
                at: Some(datetime!(2024-07-06 19:48:52 UTC)),
            })
        );
        let failed = parse_status_result(body("Failed").as_bytes()).unwrap().evidence;
        assert_eq!(failed, Some(refused(Failure::ProviderError, "Failed")));
        let open = parse_status_result(body("Authorized").as_bytes()).unwrap().evidence;
        assert_eq!(open, None);
        let not_found = br#"{"Result":{"ResultCode":2032,"ResultDesc":"not found"}}"#;
        assert_eq!(parse_status_result(not_found).unwrap().evidence, None);
    }

    #[test]
    fn refuses_other_bodies() {
        for body in [&b""[..], b"{}", b"[]", b"{\"Result\":{}}", b"\xff\xfe"] {
            assert!(parse_payout_result(body).is_err());
            assert!(parse_status_result(body).is_err());
        }
    }
}
