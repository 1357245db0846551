//! Reversals: M-Pesa gives a payment back to its payer, whole.
//!
//! As with a payout, the reply says only that Daraja took the request, and a lost reply leaves the
//! outcome unknown. M-Pesa reverses a receipt only once.

use mesh::instrument;
use reqwest::StatusCode;
use tracing::{error, warn};

use super::{
    CallError, Daraja,
    b2c::{Queried, QuerySent},
    b2c_wire::Accepted,
    reversal_wire::ReversalRequest,
    wire::ApiError,
};
use crate::domain::{MpesaReversal, MpesaReversalId, ReversalResult};

/// The remark that M-Pesa stores with the reversal.
const REMARKS: &str = "PlayOn refund";

/// The result of sending a reversal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ReversalSent {
    /// Daraja took the reversal.
    Accepted {
        /// Daraja's id of the reversal.
        conversation_id: String,
    },
    /// Daraja was out of reach or too busy, and has done nothing: it may be sent again.
    NotSent,
    /// Daraja refused with this code: no money moves by this call.
    Refused(String),
    /// M-Pesa had reversed the receipt before, with this code: the payer has the money.
    AlreadyReversed(String),
    /// The reply was lost, or does not say: money may move.
    Unknown,
}

impl Daraja {
    /// Sends a reversal of a payment. The result comes to the gateway's hook, with `secret` in its
    /// path.
    #[instrument(
        name = "daraja.reversal",
        skip_all,
        fields(otel.kind = "client", reversal.id = %reversal.id)
    )]
    pub(crate) async fn reverse(
        &self,
        reversal: &MpesaReversal,
        shillings: i64,
        secret: &str,
    ) -> ReversalSent {
        let Some(credential) = self.credentials.make().await else { return ReversalSent::NotSent };
        let request = ReversalRequest {
            initiator: &self.args.daraja_initiator_name,
            security_credential: &credential,
            command_id: "TransactionReversal",
            transaction_id: &reversal.receipt,
            amount: shillings,
            receiver_party: &self.args.daraja_short_code,
            receiver_identifier_type: "11",
            result_url: &self.hook("reversal", secret),
            queue_time_out_url: &self.hook("timeout", secret),
            remarks: REMARKS,
            occasion: "PlayOn",
        };
        match self.post("/mpesa/reversal/v1/request", &request).await {
            Ok(Accepted { response_code, conversation_id }) if response_code == "0" => {
                ReversalSent::Accepted { conversation_id }
            }
            Ok(Accepted { response_code, .. }) => decode_code(response_code),
            Err(CallError::NotSent) => ReversalSent::NotSent,
            Err(CallError::Replied { status, error }) => decode_error(status, &error),
            Err(CallError::ReplyLost) => ReversalSent::Unknown,
        }
    }

    /// Queries the status of the receipt that a reversal gives back. The result comes to the
    /// gateway's hook, with `secret` in its path.
    #[instrument(
        name = "daraja.transaction_status", skip_all, fields(otel.kind = "client", reversal.id = %id)
    )]
    pub(crate) async fn query_reversal(
        &self,
        id: MpesaReversalId,
        receipt: &str,
        secret: &str,
    ) -> QuerySent {
        let short_code = &self.args.daraja_short_code;
        self.query_status(Queried::Receipt(receipt), short_code, REMARKS, secret).await
    }
}

/// Returns the meaning of a reply's code other than "0". As in a result, not every code says
/// whether money moves.
fn decode_code(code: String) -> ReversalSent {
    warn!(code, "Daraja did not take a reversal");
    match ReversalResult::parse(&code) {
        ReversalResult::AlreadyReversed => ReversalSent::AlreadyReversed(code),
        ReversalResult::Refused | ReversalResult::Misconfigured => ReversalSent::Refused(code),
        // "0" means that Daraja took the reversal.
        ReversalResult::Reversed | ReversalResult::Unknown => ReversalSent::Unknown,
    }
}

/// Returns the meaning of an error reply. Only an error that rules out that Daraja took the
/// reversal is a refusal.
fn decode_error(status: StatusCode, api: &ApiError) -> ReversalSent {
    if api.is_busy() {
        return ReversalSent::NotSent;
    }
    if ReversalResult::parse(&api.code) == ReversalResult::AlreadyReversed {
        return ReversalSent::AlreadyReversed(api.code.clone());
    }
    if status.is_client_error() || api.is_misconfigured() {
        error!(code = api.code, text = api.message, "Daraja refused our reversal");
        return ReversalSent::Refused(api.code.clone());
    }
    warn!(code = api.code, text = api.message, "Daraja's reply leaves a reversal unknown");
    ReversalSent::Unknown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_in_the_reply_means_what_it_means_in_a_result() {
        for code in ["26", "17", "15", "99", ""] {
            assert_eq!(decode_code(code.to_owned()), ReversalSent::Unknown, "{code}");
        }
        for code in ["1", "R000002", "21"] {
            assert_eq!(decode_code(code.to_owned()), ReversalSent::Refused(code.to_owned()));
        }
        let already = ReversalSent::AlreadyReversed("R000001".to_owned());
        assert_eq!(decode_code("R000001".to_owned()), already);
        let api = ApiError { code: "R000001".to_owned(), message: "reversed".to_owned() };
        assert_eq!(decode_error(StatusCode::BAD_REQUEST, &api), already);
        assert_eq!(decode_error(StatusCode::INTERNAL_SERVER_ERROR, &api), already);
    }

    #[test]
    fn only_an_error_before_the_reversal_is_a_refusal() {
        let api = |code: &str| ApiError { code: code.to_owned(), message: "no".to_owned() };
        let five_hundred = StatusCode::INTERNAL_SERVER_ERROR;
        let refused = decode_error(StatusCode::BAD_REQUEST, &api("400.002.02"));
        assert_eq!(refused, ReversalSent::Refused("400.002.02".to_owned()));
        assert_eq!(decode_error(five_hundred, &api("500.003.02")), ReversalSent::NotSent);
        assert_eq!(decode_error(five_hundred, &api("500.002.1001")), ReversalSent::Unknown);
        assert_eq!(decode_error(StatusCode::BAD_GATEWAY, &api("")), ReversalSent::Unknown);
    }
}
