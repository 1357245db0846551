//! M-Pesa by Safaricom's Daraja API: STK push and its query; payouts,
//! reversals and their status; balances.
//!
//! The protocol is "M-Pesa Express" at developer.safaricom.co.ke. Two facts shape this
//! file: "accepted" means that the phone gets a prompt, not that it paid; and a query that
//! finds an open prompt replies with an error, so the meaning of an error depends on the
//! endpoint and the message.

mod b2c;
mod b2c_wire;
mod balance;
mod credential;
mod pull;
mod reversal;
mod reversal_wire;
mod throttle;
mod timestamp;
mod token;
mod wire;

use base64::{Engine, prelude::BASE64_STANDARD};
use mesh::{cache::Cache, instrument};
use reqwest::StatusCode;
use serde::{Serialize, de::DeserializeOwned};
use tracing::{error, warn};
use types::{Clock, ExposeSecret, Msisdn};

pub(crate) use self::wire::{BadCallback, Callback, parse_callback};
pub(crate) use self::{
    b2c::{PayoutSent, QuerySent},
    b2c_wire::{Report, parse_payout_result, parse_status_result},
    balance::parse_balance_result,
    reversal::ReversalSent,
    reversal_wire::{ReversalReport, parse_reversal_result, parse_reversal_status},
};
use self::{credential::Credentials, throttle::Throttle, token::Tokens};
use super::call_end::{self, CallEnd};
use crate::{
    config::DarajaArgs,
    domain::{Failure, MpesaResult, PaymentId, ProviderRefusal},
};

/// Tokens that one call tries: replicas that fetch at the same moment cancel each other's token.
const TOKENS_PER_CALL: u32 = 4;

/// The result code of a query whose prompt is still open. Daraja also reports this as an
/// error.
const STILL_PROCESSING: &str = "4999";

/// A client of Daraja.
pub(crate) struct Daraja {
    http: reqwest::Client,
    args: DarajaArgs,
    tokens: Tokens,
    credentials: Credentials,
    queries: Throttle,
    clock: Clock,
}

/// The result of a push.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PushResult {
    /// The phone gets a prompt.
    Accepted(PushIds),
    /// Daraja refused, and the phone gets no prompt.
    Refused(ProviderRefusal),
    /// The reply was lost: the phone may have got a prompt.
    Unknown,
}

/// Daraja's ids of a push.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PushIds {
    /// Daraja's id of our request.
    pub(crate) merchant_request_id: String,
    /// Daraja's id of the checkout, for callbacks and queries. Ends in the payer's number, so it
    /// must not be logged.
    pub(crate) checkout_request_id: String,
}

/// The result of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum QueryResult {
    /// The prompt is still open.
    Pending,
    /// The payer paid. The reply has neither receipt nor amount.
    Paid,
    /// The payer did not pay, and will not.
    Refused(ProviderRefusal),
    /// The reply is unusable: query again later.
    Unknown,
    /// Daraja was out of reach or too busy: query again soon.
    NotSent,
}

/// Why a call has no usable reply.
enum CallError {
    /// The call was not sent: Daraja did nothing.
    NotSent,
    /// Daraja replied with an error of its own.
    Replied { status: StatusCode, error: wire::ApiError },
    /// The call was sent, and the reply was lost or cannot be parsed.
    ReplyLost,
}

impl CallError {
    fn end(&self) -> CallEnd {
        match self {
            Self::NotSent => CallEnd::NotSent,
            Self::ReplyLost => CallEnd::ReplyLost,
            // A query whose prompt is still open has this error for a reply.
            Self::Replied { error, .. } if error.is_still_processing() => CallEnd::Replied,
            Self::Replied { error, .. } if error.is_rule() => CallEnd::Refused,
            Self::Replied { status, error }
                if error.is_busy()
                    || status.is_server_error()
                    || *status == StatusCode::TOO_MANY_REQUESTS =>
            {
                CallEnd::Failed
            }
            Self::Replied { .. } => CallEnd::Refused,
        }
    }
}

impl Daraja {
    /// Builds a client for the app and the paybill in `args`.
    pub(crate) fn new(args: DarajaArgs, cache: Cache, clock: Clock) -> anyhow::Result<Self> {
        let http = mesh::http::client(args.daraja_timeout)?;
        let tokens = Tokens::new(http.clone(), &args, cache, clock.clone());
        let credentials = Credentials::new(
            http.clone(),
            args.daraja_certificate.clone(),
            args.daraja_initiator_password.clone(),
            clock.clone(),
        )?;
        let queries = Throttle::new(args.daraja_queries_per_second);
        Ok(Self { http, args, tokens, credentials, queries, clock })
    }

    /// Whether Daraja issues a token, without which it refuses every other call.
    pub(crate) async fn has_token(&self) -> bool {
        self.tokens.get(None).await.is_some()
    }

    /// Sends a prompt over `shillings` to a phone. The callback comes to the gateway's hook,
    /// with `secret` in its path.
    #[instrument(
        name = "daraja.stk_push", skip_all, fields(otel.kind = "client", payment.id = %payment)
    )]
    pub(crate) async fn push(
        &self,
        payment: PaymentId,
        phone: &Msisdn,
        shillings: i64,
        secret: &str,
    ) -> PushResult {
        let (password, timestamp) = self.password();
        let request = wire::PushRequest {
            business_short_code: &self.args.daraja_short_code,
            password: &password,
            timestamp: &timestamp,
            transaction_type: "CustomerPayBillOnline",
            amount: shillings,
            party_a: phone.digits(),
            party_b: &self.args.daraja_short_code,
            phone_number: phone.digits(),
            call_back_url: &format!("{}/hooks/stk/{secret}", self.args.callback_base_url),
            account_reference: &reference(payment),
            transaction_desc: "PlayOn top up",
        };
        let reply: Result<wire::PushReply, CallError> =
            self.post("/mpesa/stkpush/v1/processrequest", &request).await;
        match reply {
            Ok(reply) if reply.response_code == "0" => PushResult::Accepted(PushIds {
                merchant_request_id: reply.merchant_request_id,
                checkout_request_id: reply.checkout_request_id,
            }),
            Ok(reply) => {
                warn!(code = reply.response_code, "Daraja did not accept a push");
                PushResult::Refused(ProviderRefusal {
                    failure: Failure::ProviderError,
                    code: reply.response_code,
                })
            }
            Err(CallError::NotSent) => PushResult::Refused(ProviderRefusal {
                failure: Failure::Unreachable,
                code: "NOT_SENT".to_owned(),
            }),
            Err(CallError::Replied { status, error }) => decode_push_error(status, &error),
            Err(CallError::ReplyLost) => PushResult::Unknown,
        }
    }

    /// Queries the state of a push.
    #[instrument(name = "daraja.stk_query", skip_all, fields(otel.kind = "client"))]
    pub(crate) async fn query(&self, checkout_request_id: &str) -> QueryResult {
        self.queries.wait().await;
        let (password, timestamp) = self.password();
        let request = wire::QueryRequest {
            business_short_code: &self.args.daraja_short_code,
            password: &password,
            timestamp: &timestamp,
            checkout_request_id,
        };
        let reply: Result<wire::QueryReply, CallError> =
            self.post("/mpesa/stkpushquery/v1/query", &request).await;
        match reply {
            Ok(reply) if reply.result_code == STILL_PROCESSING => QueryResult::Pending,
            Ok(reply) => match MpesaResult::parse(&reply.result_code) {
                MpesaResult::Paid => QueryResult::Paid,
                result => wire::refusal(result, &reply.result_code)
                    .map_or(QueryResult::Unknown, QueryResult::Refused),
            },
            Err(CallError::Replied { error, .. }) if error.is_still_processing() => {
                QueryResult::Pending
            }
            Err(CallError::NotSent) => QueryResult::NotSent,
            Err(CallError::Replied { error, .. }) if error.is_busy() => QueryResult::NotSent,
            Err(_) => QueryResult::Unknown,
        }
    }

    /// Makes one call with a token, and records how it ended.
    async fn post<Q, R>(&self, path: &'static str, body: &Q) -> Result<R, CallError>
    where
        Q: Serialize + Sync,
        R: DeserializeOwned,
    {
        let reply = self.post_with_tokens(path, body).await;
        let end = reply.as_ref().map_or_else(CallError::end, |_| CallEnd::Replied);
        call_end::record("daraja", path, end);
        reply
    }

    /// Daraja refuses a stale token before it does anything, so the call is repeated with another
    /// token.
    async fn post_with_tokens<Q, R>(&self, path: &str, body: &Q) -> Result<R, CallError>
    where
        Q: Serialize + Sync,
        R: DeserializeOwned,
    {
        let mut refused = None;
        for _ in 0..TOKENS_PER_CALL {
            let token = self.tokens.get(refused.as_deref()).await.ok_or(CallError::NotSent)?;
            match self.post_with(path, body, &token).await {
                Err(CallError::Replied { status, error }) if error.is_stale_token(status) => {
                    refused = Some(token);
                }
                outcome => return outcome,
            }
        }
        warn!(path, "Daraja refused every token that it issued");
        Err(CallError::NotSent)
    }

    async fn post_with<Q, R>(&self, path: &str, body: &Q, token: &str) -> Result<R, CallError>
    where
        Q: Serialize + Sync,
        R: DeserializeOwned,
    {
        let url = format!("{}{path}", self.args.daraja_base_url);
        let sent = self.http.post(url).bearer_auth(token).json(body).send().await;
        let reply = sent.map_err(|error| {
            // Without a connection, nothing was sent.
            let call_error =
                if error.is_connect() { CallError::NotSent } else { CallError::ReplyLost };
            warn!(error = %error.without_url(), path, "no reply from Daraja");
            call_error
        })?;
        let status = reply.status();
        if status == StatusCode::UNAUTHORIZED {
            // The error comes from Daraja's front end, whose body is not an `ApiError`.
            return Err(CallError::Replied { status, error: wire::ApiError::default() });
        }
        let text = reply.text().await.map_err(|_| CallError::ReplyLost)?;
        if status.is_success() {
            return serde_json::from_str(&text).map_err(|_| CallError::ReplyLost);
        }
        match serde_json::from_str(&text) {
            Ok(error) => Err(CallError::Replied { status, error }),
            Err(_) => Err(CallError::ReplyLost),
        }
    }

    /// Returns the password of a request, and the timestamp that is part of it.
    fn password(&self) -> (String, String) {
        let timestamp = timestamp::format(self.clock.now());
        let plain = format!(
            "{}{}{timestamp}",
            self.args.daraja_short_code,
            self.args.daraja_passkey.expose_secret()
        );
        (BASE64_STANDARD.encode(plain), timestamp)
    }
}

/// Returns the meaning of an error reply to a push. Only an error that rules out a prompt is a
/// refusal; after any other the phone may have got one.
fn decode_push_error(status: StatusCode, api: &wire::ApiError) -> PushResult {
    let failure = if api.message_contains("Unable to lock subscriber") {
        Failure::PhoneBusy
    } else if api.is_busy() {
        Failure::ProviderError
    } else if api.message_contains("Invalid PhoneNumber") || api.message_contains("Invalid PartyA")
    {
        // The number is a valid Kenyan number of another network than Safaricom.
        Failure::NotMpesa
    } else if status.is_client_error() || api.is_misconfigured() {
        error!(code = api.code, text = api.message, "Daraja refused our request");
        Failure::ProviderError
    } else {
        warn!(
            code = api.code,
            text = api.message,
            "Daraja replied to a push with an undocumented error"
        );
        return PushResult::Unknown;
    };
    PushResult::Refused(ProviderRefusal { failure, code: api.code.clone() })
}

/// Returns the account reference that the payer sees: at most twelve letters and digits, from the
/// end of the id, where a UUIDv7 is random.
fn reference(payment: PaymentId) -> String {
    let id = payment.to_string().replace('-', "").to_uppercase();
    format!("PLAY{}", &id[id.len() - 8..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_daraja_refuses_by_a_rule_is_no_failure_of_daraja() {
        for (status, code, message, end) in [
            (500, "500.001.1001", "Unable to lock subscriber, a transaction", CallEnd::Refused),
            (500, "500.002.1001", "Duplicate OriginatorConversationID.", CallEnd::Refused),
            (500, "R000001", "The transaction has been reversed", CallEnd::Refused),
            (400, "400.002.02", "Bad Request - Invalid PhoneNumber", CallEnd::Refused),
            (500, "500.001.1001", "The transaction is being processed", CallEnd::Replied),
            (500, "500.003.02", "Spike arrest violation", CallEnd::Failed),
            (500, "500.001.1001", "Server Error", CallEnd::Failed),
            (429, "", "", CallEnd::Failed),
        ] {
            let status = StatusCode::from_u16(status).unwrap();
            let error = wire::ApiError { code: code.to_owned(), message: message.to_owned() };
            assert_eq!(CallError::Replied { status, error }.end(), end, "{code}: {message}");
        }
    }

    #[test]
    fn the_account_reference_has_at_most_twelve_letters_and_digits() {
        let id = PaymentId::parse("0193a4f0-0000-7000-8000-00000000beef").unwrap();
        assert_eq!(reference(id), "PLAY0000BEEF");
    }
}
