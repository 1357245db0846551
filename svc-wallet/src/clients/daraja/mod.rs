//! M-Pesa by Safaricom's Daraja API: STK push and its query.
//!
//! The wire's facts and traps are in the design's notes on providers, section 1.
//! The two that shape this file: "accepted" means that a phone is asked, not
//! that anything was paid; and an error while a prompt is open looks like any
//! other error, so its class is read from the endpoint and the text.

mod pace;
mod token;
mod wire;

use std::time::Duration;

use base64::{Engine, prelude::BASE64_STANDARD};
use mesh::cache::Cache;
use reqwest::StatusCode;
use serde::{Serialize, de::DeserializeOwned};
use time::{
    OffsetDateTime, UtcOffset,
    macros::{format_description, offset},
};
use tracing::{error, instrument, warn};
use types::{Clock, ExposeSecret, Msisdn};

pub use self::wire::{BadCallback, Callback, read_callback};
use self::{pace::Pace, token::Tokens};
use crate::{
    config::DarajaArgs,
    domain::{Failure, MpesaResult, PaymentId, Refusal},
};

/// A client of Daraja. Replicas share one access token, because a new one
/// cancels the one before.
pub struct Daraja {
    http: reqwest::Client,
    args: DarajaArgs,
    tokens: Tokens,
    queries: Pace,
    clock: Clock,
}

/// What came of asking a phone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pushed {
    /// The phone is being asked.
    Accepted(Names),
    /// Daraja said no, and no phone was asked.
    Refused(Refusal),
    /// Nobody knows whether a phone was asked.
    Unknown,
}

/// What Daraja calls a push.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    /// Our request.
    pub merchant_request_id: String,
    /// The checkout; callbacks and queries use it. It ends in the payer's number,
    /// so it stays out of logs.
    pub checkout_request_id: String,
}

/// What Daraja says of a push.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Queried {
    /// The prompt is still open.
    Pending,
    /// Paid. A query knows neither receipt nor amount.
    Paid,
    /// Not paid, and not going to be.
    Refused(Refusal),
    /// No usable answer: ask again later.
    Unknown,
    /// Daraja could not be reached, or was too busy: ask again soon.
    NotAsked,
}

/// Why a call brought no answer.
enum Trouble {
    /// It never left: nothing was asked.
    NotSent,
    /// Daraja answered with an error of its own.
    Answered { status: StatusCode, error: wire::ApiError },
    /// It left, and no answer can be made out.
    Lost,
}

impl Daraja {
    /// A client for the app and paybill in `args`.
    pub fn new(args: DarajaArgs, cache: Cache, clock: Clock) -> anyhow::Result<Self> {
        let http = mesh::http::client(args.daraja_timeout)?;
        let tokens = Tokens::new(http.clone(), &args, cache, clock.clone());
        let queries = Pace::new(args.daraja_queries_per_second);
        Ok(Self { http, args, tokens, queries, clock })
    }

    /// Whether Daraja gives us a token: without one nothing can be asked.
    pub async fn has_token(&self) -> bool {
        self.tokens.get(None).await.is_some()
    }

    /// Asks the phone's owner to pay `amount`, and Daraja to report to our hook
    /// under `secret`.
    #[instrument(name = "daraja.stk_push", skip_all, fields(otel.kind = "client"))]
    pub async fn push(
        &self,
        payment: PaymentId,
        phone: &Msisdn,
        shillings: i64,
        secret: &str,
    ) -> Pushed {
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
        let answer: Result<wire::PushReply, Trouble> =
            self.post("/mpesa/stkpush/v1/processrequest", &request).await;
        match answer {
            Ok(reply) if reply.response_code == "0" => Pushed::Accepted(Names {
                merchant_request_id: reply.merchant_request_id,
                checkout_request_id: reply.checkout_request_id,
            }),
            Ok(reply) => {
                warn!(code = reply.response_code, "Daraja did not accept a push");
                Pushed::Refused(Refusal { failure: Failure::Trouble, code: reply.response_code })
            }
            Err(Trouble::NotSent) => Pushed::Refused(Refusal {
                failure: Failure::Unreachable,
                code: "NOT_SENT".to_owned(),
            }),
            Err(Trouble::Answered { status, error }) => read_push_error(status, &error),
            Err(Trouble::Lost) => Pushed::Unknown,
        }
    }

    /// Asks what became of a push.
    #[instrument(name = "daraja.stk_query", skip_all, fields(otel.kind = "client"))]
    pub async fn query(&self, checkout_request_id: &str) -> Queried {
        self.queries.turn().await;
        let (password, timestamp) = self.password();
        let request = wire::QueryRequest {
            business_short_code: &self.args.daraja_short_code,
            password: &password,
            timestamp: &timestamp,
            checkout_request_id,
        };
        let answer: Result<wire::QueryReply, Trouble> =
            self.post("/mpesa/stkpushquery/v1/query", &request).await;
        match answer {
            Ok(reply) if reply.result_code == STILL_PROCESSING => Queried::Pending,
            Ok(reply) => match MpesaResult::of(&reply.result_code) {
                MpesaResult::Paid => Queried::Paid,
                result => {
                    result.refusal(&reply.result_code).map_or(Queried::Unknown, Queried::Refused)
                }
            },
            Err(Trouble::Answered { error, .. }) if error.says("being processed") => {
                Queried::Pending
            }
            Err(Trouble::NotSent) => Queried::NotAsked,
            Err(Trouble::Answered { error, .. }) if error.is_busy() => Queried::NotAsked,
            Err(_) => Queried::Unknown,
        }
    }

    /// One call with a token. A stale one is turned away at the door, so the call is
    /// made again with another.
    async fn post<Q, R>(&self, path: &str, body: &Q) -> Result<R, Trouble>
    where
        Q: Serialize + Sync,
        R: DeserializeOwned,
    {
        let mut stale = None;
        for _ in 0..TOKENS {
            let token = self.tokens.get(stale.as_deref()).await.ok_or(Trouble::NotSent)?;
            match self.post_with(path, body, &token).await {
                Err(Trouble::Answered { status, error }) if error.is_stale_token(status) => {
                    stale = Some(token);
                }
                outcome => return outcome,
            }
        }
        warn!(path, "Daraja took none of the tokens that it gave");
        Err(Trouble::NotSent)
    }

    async fn post_with<Q, R>(&self, path: &str, body: &Q, token: &str) -> Result<R, Trouble>
    where
        Q: Serialize + Sync,
        R: DeserializeOwned,
    {
        let url = format!("{}{path}", self.args.daraja_base_url);
        let sent = self.http.post(url).bearer_auth(token).json(body).send().await;
        let reply = sent.map_err(|error| {
            // A connection that was never made carried nothing.
            let trouble = if error.is_connect() { Trouble::NotSent } else { Trouble::Lost };
            warn!(error = %error.without_url(), path, "no answer from Daraja");
            trouble
        })?;
        let status = reply.status();
        if status == StatusCode::UNAUTHORIZED {
            // Said at the door, and not in Daraja's own form.
            return Err(Trouble::Answered { status, error: wire::ApiError::default() });
        }
        let text = reply.text().await.map_err(|_| Trouble::Lost)?;
        if status.is_success() {
            return serde_json::from_str(&text).map_err(|_| Trouble::Lost);
        }
        match serde_json::from_str(&text) {
            Ok(error) => Err(Trouble::Answered { status, error }),
            Err(_) => Err(Trouble::Lost),
        }
    }

    /// The password of a request and the timestamp it was made with, which
    /// Daraja reads in East Africa Time.
    fn password(&self) -> (String, String) {
        let timestamp = eat_timestamp(self.clock.now());
        let plain = format!(
            "{}{}{timestamp}",
            self.args.daraja_short_code,
            self.args.daraja_passkey.expose_secret()
        );
        (BASE64_STANDARD.encode(plain), timestamp)
    }
}

/// Reads an error that Daraja answered a push with. Only what surely was not
/// carried out is a no; the rest is unknown, and a phone may be ringing.
fn read_push_error(status: StatusCode, api: &wire::ApiError) -> Pushed {
    let failure = if api.says("Unable to lock subscriber") {
        Failure::PhoneBusy
    } else if api.is_busy() {
        Failure::Trouble
    } else if api.says("Invalid PhoneNumber") || api.says("Invalid PartyA") {
        // Every Kenyan mobile number gets this far, and M-Pesa is Safaricom's.
        Failure::NotMpesa
    } else if status.is_client_error() || api.is_misconfigured() {
        error!(code = api.code, text = api.message, "Daraja refuses our requests");
        Failure::Trouble
    } else {
        warn!(code = api.code, text = api.message, "a push whose outcome nobody knows");
        return Pushed::Unknown;
    };
    Pushed::Refused(Refusal { failure, code: api.code.clone() })
}

/// What the payer sees: at most twelve letters and digits, from the end of the
/// id, where UUIDv7 has its randomness.
fn reference(payment: PaymentId) -> String {
    let id = payment.to_string().replace('-', "").to_uppercase();
    format!("PLAY{}", &id[id.len() - 8..])
}

/// `YYYYMMDDHHmmss` in East Africa Time (UTC+3, all year).
fn eat_timestamp(at: OffsetDateTime) -> String {
    at.to_offset(EAT)
        .format(format_description!("[year][month][day][hour][minute][second]"))
        .unwrap_or_default()
}

/// How a query says that the prompt is open, in the other of the two ways seen.
const STILL_PROCESSING: &str = "4999";

/// East Africa Time.
const EAT: UtcOffset = offset!(+3);

/// Reads `YYYYMMDDHHmmss` in East Africa Time.
fn read_eat_timestamp(text: &str) -> Option<OffsetDateTime> {
    let format = format_description!("[year][month][day][hour][minute][second]");
    let local = time::PrimitiveDateTime::parse(text, format).ok()?;
    Some(local.assume_offset(EAT).to_offset(UtcOffset::UTC))
}

/// Tokens that one call is tried with: replicas that fetch one at the same moment
/// cancel each other's.
const TOKENS: u32 = 4;

/// How early a token is replaced before it ends.
const TOKEN_MARGIN: Duration = Duration::from_mins(1);

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn timestamps_are_east_african_whatever_the_host() {
        let at = datetime!(2026-11-20 22:30:05 UTC);
        assert_eq!(eat_timestamp(at), "20261121013005");
        assert_eq!(read_eat_timestamp("20261121013005"), Some(at));
    }

    #[test]
    fn the_payer_sees_at_most_twelve_plain_characters() {
        let id = PaymentId::parse("0193a4f0-0000-7000-8000-00000000beef").unwrap();
        assert_eq!(reference(id), "PLAY0000BEEF");
    }
}
