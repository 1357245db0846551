//! Payouts by B2C, and Daraja's transaction status query.
//!
//! Both replies say only that Daraja took the request: the outcome comes as a callback, or never. A
//! lost reply to a payout leaves its outcome unknown, because Daraja may have taken it.

use mesh::instrument;
use reqwest::StatusCode;
use tracing::{error, warn};
use types::Msisdn;

use super::{CallError, Daraja, b2c_wire as wire, wire::ApiError};
use crate::domain::{Failure, PaymentId, ProviderRefusal};

/// The result of sending a payout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PayoutSent {
    /// Daraja took the payout.
    Accepted {
        /// Daraja's id of the payout.
        conversation_id: String,
    },
    /// Daraja received the payout before.
    Duplicate,
    /// Daraja was out of reach or too busy, and has done nothing: it may be sent again.
    NotSent,
    /// Daraja refused: no money leaves.
    Refused(ProviderRefusal),
    /// The reply was lost, or does not say: money may leave.
    Unknown,
}

/// The result of sending a status query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QuerySent {
    /// Daraja took the query. The result comes as a callback.
    Accepted,
    /// Daraja did not take it: query again soon.
    NotSent,
}

/// The subject of a status query.
#[derive(Debug, Clone, Copy)]
pub(super) enum Queried<'a> {
    /// Our id of a payout.
    Conversation(&'a str),
    /// The receipt of an M-Pesa payment.
    Receipt(&'a str),
}

impl Daraja {
    /// Whether Daraja issues a token and the security credential can be made. Without both, neither
    /// a payout nor a reversal can be sent.
    pub(crate) async fn can_initiate(&self) -> bool {
        self.credentials.make().await.is_some() && self.has_token().await
    }

    /// Sends `shillings` to a phone. The result comes to the gateway's hook, with `secret` in
    /// its path. Daraja refuses a second payout with the same payment's id.
    #[instrument(
        name = "daraja.b2c", skip_all, fields(otel.kind = "client", payment.id = %payment)
    )]
    pub(crate) async fn pay_out(
        &self,
        payment: PaymentId,
        phone: &Msisdn,
        shillings: i64,
        secret: &str,
    ) -> PayoutSent {
        let Some(credential) = self.credentials.make().await else { return PayoutSent::NotSent };
        let request = wire::PayoutRequest {
            originator_conversation_id: &payment.to_string(),
            initiator_name: &self.args.daraja_initiator_name,
            security_credential: &credential,
            command_id: "BusinessPayment",
            amount: shillings,
            party_a: self.payout_short_code(),
            party_b: phone.digits(),
            remarks: "PlayOn withdrawal",
            queue_time_out_url: &self.hook("timeout", secret),
            result_url: &self.hook("b2c", secret),
            occasion: "Withdrawal",
        };
        let reply = self.post("/mpesa/b2c/v3/paymentrequest", &request).await;
        match reply {
            Ok(wire::Accepted { response_code, conversation_id }) if response_code == "0" => {
                PayoutSent::Accepted { conversation_id }
            }
            Ok(wire::Accepted { response_code, .. }) => {
                warn!(code = response_code, "Daraja did not take a payout");
                PayoutSent::Refused(refusal(response_code))
            }
            Err(CallError::NotSent) => PayoutSent::NotSent,
            Err(CallError::Replied { status, error }) => decode_error(status, &error),
            Err(CallError::ReplyLost) => PayoutSent::Unknown,
        }
    }

    /// Queries the status of a payout. The result comes to the gateway's hook, with `secret` in its
    /// path.
    #[instrument(
        name = "daraja.transaction_status",
        skip_all,
        fields(otel.kind = "client", payment.id = %payment)
    )]
    pub(crate) async fn query_payout(&self, payment: PaymentId, secret: &str) -> QuerySent {
        let of = Queried::Conversation(&payment.to_string());
        self.query_status(of, self.payout_short_code(), "PlayOn withdrawal", secret).await
    }

    /// Sends a status query. Its result comes to the gateway's hook.
    pub(super) async fn query_status(
        &self,
        of: Queried<'_>,
        short_code: &str,
        remarks: &str,
        secret: &str,
    ) -> QuerySent {
        self.queries.wait().await;
        let Some(credential) = self.credentials.make().await else { return QuerySent::NotSent };
        let (conversation, receipt) = match of {
            Queried::Conversation(id) => (Some(id), None),
            Queried::Receipt(receipt) => (None, Some(receipt)),
        };
        let request = wire::StatusRequest {
            initiator: &self.args.daraja_initiator_name,
            security_credential: &credential,
            command_id: "TransactionStatusQuery",
            original_conversation_id: conversation,
            transaction_id: receipt,
            party_a: short_code,
            identifier_type: "4",
            result_url: &self.hook("status", secret),
            queue_time_out_url: &self.hook("timeout", secret),
            remarks,
            occasion: "PlayOn",
        };
        let reply = self.post("/mpesa/transactionstatus/v1/query", &request).await;
        match reply {
            Ok(wire::Accepted { response_code, .. }) if response_code == "0" => QuerySent::Accepted,
            Ok(wire::Accepted { response_code, .. }) => {
                warn!(code = response_code, "Daraja did not take a status query");
                QuerySent::NotSent
            }
            // Daraja may have taken the query, and its result is as good as any.
            Err(CallError::ReplyLost) => QuerySent::Accepted,
            Err(CallError::NotSent) => QuerySent::NotSent,
            Err(CallError::Replied { error, .. }) => {
                warn!(code = error.code, text = error.message, "Daraja refused a status query");
                QuerySent::NotSent
            }
        }
    }

    fn payout_short_code(&self) -> &str {
        let own = self.args.daraja_payout_short_code.as_ref();
        own.unwrap_or(&self.args.daraja_short_code)
    }

    pub(super) fn hook(&self, name: &str, secret: &str) -> String {
        format!("{}/hooks/{name}/{secret}", self.args.callback_base_url)
    }
}

/// Returns the meaning of an error reply to a payout. `500.002.1001` has several texts. Only an
/// error that rules out that Daraja took the payout is a refusal.
fn decode_error(status: StatusCode, api: &ApiError) -> PayoutSent {
    if api.message_contains("duplicate") {
        warn!("Daraja has this payout from before");
        return PayoutSent::Duplicate;
    }
    if api.is_busy() {
        return PayoutSent::NotSent;
    }
    if status.is_client_error() || api.is_misconfigured() {
        error!(code = api.code, text = api.message, "Daraja refused our payout");
    } else {
        warn!(code = api.code, text = api.message, "Daraja's reply leaves a payout unknown");
        return PayoutSent::Unknown;
    }
    PayoutSent::Refused(refusal(api.code.clone()))
}

fn refusal(code: String) -> ProviderRefusal {
    ProviderRefusal { failure: Failure::ProviderError, code }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn api(code: &str, message: &str) -> ApiError {
        ApiError { code: code.to_owned(), message: message.to_owned() }
    }

    #[test]
    fn one_code_means_taken_before_or_unknown_by_its_text() {
        let five_hundred = StatusCode::INTERNAL_SERVER_ERROR;
        let duplicate = api("500.002.1001", "Duplicate OriginatorConversationID.");
        assert_eq!(decode_error(five_hundred, &duplicate), PayoutSent::Duplicate);
        let internal = api("500.002.1001", "System internal error");
        assert_eq!(decode_error(five_hundred, &internal), PayoutSent::Unknown);
    }

    #[test]
    fn only_an_error_before_the_payout_is_a_refusal() {
        let sent = decode_error(StatusCode::BAD_REQUEST, &api("400.002.02", "no"));
        assert_eq!(sent, PayoutSent::Refused(refusal("400.002.02".to_owned())));
        let five_hundred = StatusCode::INTERNAL_SERVER_ERROR;
        let busy = decode_error(five_hundred, &api("500.003.02", "busy"));
        assert_eq!(busy, PayoutSent::NotSent);
        assert_eq!(decode_error(StatusCode::BAD_GATEWAY, &api("", "")), PayoutSent::Unknown);
    }
}
