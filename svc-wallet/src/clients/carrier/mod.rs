//! Airtime by Safaricom's carrier billing (SDP): the charge of a subscription to a phone.
//!
//! The API has no public documentation; its shapes are those that public clients use. It has no
//! query: a charge whose reply was lost is settled by its notification, or by the daily statement,
//! and is never sent again.

mod wire;

use mesh::instrument;
use reqwest::StatusCode;
use time::OffsetDateTime;
use tokio::sync::Mutex;
use tracing::{error, warn};
use types::{Clock, ExposeSecret, Money, Msisdn};

pub(crate) use self::wire::{BadNotification, Notification, parse_notification};
use super::call_end::{self, CallEnd};
use crate::{
    config::CarrierArgs,
    domain::{ChargeResult, Failure, ProviderRefusal},
};

/// Tokens that one call tries.
const TOKENS_PER_CALL: u32 = 2;
/// Lifetime of a token, because the carrier does not document one.
const TOKEN_LIFETIME: std::time::Duration = std::time::Duration::from_mins(10);

/// A client of the carrier.
pub(crate) struct Carrier {
    http: reqwest::Client,
    args: CarrierArgs,
    clock: Clock,
    token: Mutex<Option<(String, OffsetDateTime)>>,
}

/// Why a call has no usable reply.
enum CallError {
    NotSent,
    /// The token was refused.
    Unauthorized,
    /// The carrier replied with an error status.
    Refused(StatusCode),
    ReplyLost,
}

impl CallError {
    const fn end(&self) -> CallEnd {
        match self {
            Self::NotSent | Self::Unauthorized | Self::Refused(StatusCode::FORBIDDEN) => {
                CallEnd::NotSent
            }
            Self::Refused(StatusCode::TOO_MANY_REQUESTS) => CallEnd::Failed,
            Self::Refused(_) => CallEnd::Refused,
            Self::ReplyLost => CallEnd::ReplyLost,
        }
    }
}

impl Carrier {
    pub(crate) fn new(args: CarrierArgs, clock: Clock) -> anyhow::Result<Self> {
        let http = mesh::http::client(args.carrier_timeout)?;
        Ok(Self { http, args, clock, token: Mutex::default() })
    }

    /// Whether the carrier issues a token, without which it refuses every other call.
    pub(crate) async fn has_token(&self) -> bool {
        self.token(None).await.is_some()
    }

    /// Whether `secret` is the secret in the path of the carrier's notifications.
    pub(crate) fn is_secret(&self, secret: &str) -> bool {
        let ours = self.args.carrier_notify_secret.expose_secret().as_bytes();
        bool::from(subtle::ConstantTimeEq::ct_eq(ours, secret.as_bytes()))
    }

    /// Activates the offer for the phone: the consent. It charges nothing, so it may be repeated.
    #[instrument(name = "carrier.activate", skip_all, fields(otel.kind = "client"))]
    pub(crate) async fn activate(&self, request_id: &str, phone: &Msisdn) -> ChargeResult {
        let reply = self.call("activate", "ACTIVATE", request_id, phone, None).await;
        self.result(reply, "activation")
    }

    /// Charges `amount` to the phone's airtime.
    #[instrument(name = "carrier.charge", skip_all, fields(otel.kind = "client"))]
    pub(crate) async fn charge(
        &self,
        request_id: &str,
        phone: &Msisdn,
        amount: Money,
    ) -> ChargeResult {
        let reply = self.call("paymentRequest", "Payment", request_id, phone, Some(amount)).await;
        self.result(reply, "charge")
    }

    fn result(&self, reply: Result<wire::Reply, CallError>, call: &'static str) -> ChargeResult {
        match reply {
            Ok(reply) => reply.result(self.clock.now()),
            Err(CallError::NotSent | CallError::Unauthorized) => ChargeResult::NotSent,
            Err(CallError::Refused(status)) => {
                error!(%status, call, "the carrier refused our request");
                ChargeResult::Refused(ProviderRefusal {
                    failure: Failure::AirtimeError,
                    code: status.as_u16().to_string(),
                })
            }
            Err(CallError::ReplyLost) => ChargeResult::Unknown,
        }
    }

    /// Makes one call with a token, and records how it ended.
    async fn call(
        &self,
        path: &'static str,
        operation: &str,
        request_id: &str,
        phone: &Msisdn,
        amount: Option<Money>,
    ) -> Result<wire::Reply, CallError> {
        let body = wire::request(&self.args, operation, request_id, phone, amount);
        let reply = self.call_with_tokens(path, &body).await;
        let end = reply.as_ref().map_or_else(CallError::end, |_| CallEnd::Replied);
        call_end::record("carrier", path, end);
        reply
    }

    /// The carrier refuses a stale token before it does anything, so the call is repeated with
    /// another token.
    async fn call_with_tokens(
        &self,
        path: &str,
        body: &wire::Charge<'_>,
    ) -> Result<wire::Reply, CallError> {
        let mut refused = None;
        for _ in 0..TOKENS_PER_CALL {
            let token = self.token(refused.as_deref()).await.ok_or(CallError::NotSent)?;
            match self.call_with(path, body, &token).await {
                Err(CallError::Unauthorized) => refused = Some(token),
                outcome => return outcome,
            }
        }
        warn!(path, "the carrier refused every token that it issued");
        Err(CallError::Unauthorized)
    }

    async fn call_with(
        &self,
        path: &str,
        body: &wire::Charge<'_>,
        token: &str,
    ) -> Result<wire::Reply, CallError> {
        let url = format!("{}/public/SDP/{path}", self.args.carrier_base_url);
        let request = self.http.post(url).header("X-Authorization", format!("Bearer {token}"));
        let sent = request.header("X-Requested-With", "XMLHttpRequest").json(body).send().await;
        let reply = sent.map_err(|error| {
            // Without a connection, nothing was sent.
            let call_error =
                if error.is_connect() { CallError::NotSent } else { CallError::ReplyLost };
            warn!(error = %error.without_url(), path, "no reply from the carrier");
            call_error
        })?;
        match reply.status() {
            StatusCode::UNAUTHORIZED => Err(CallError::Unauthorized),
            status if status.is_success() => reply.json().await.map_err(|_| CallError::ReplyLost),
            status if status.is_client_error() && status != StatusCode::REQUEST_TIMEOUT => {
                // If the body has a result, the result says why.
                reply.json().await.map_err(|_| CallError::Refused(status))
            }
            _ => Err(CallError::ReplyLost),
        }
    }

    /// Returns a token other than `refused`. `None` when the carrier does not issue one.
    async fn token(&self, refused: Option<&str>) -> Option<String> {
        let mut cached = self.token.lock().await;
        if let Some((token, expires_at)) = &*cached
            && refused != Some(&**token)
            && *expires_at > self.clock.now()
        {
            return Some(token.clone());
        }
        *cached = None;
        let body = wire::Login {
            username: &self.args.carrier_username,
            password: self.args.carrier_password.expose_secret(),
        };
        let url = format!("{}/auth/login", self.args.carrier_base_url);
        let request = self.http.post(url).header("X-Requested-With", "XMLHttpRequest").json(&body);
        let token = match request.send().await {
            Ok(reply) if reply.status().is_success() => {
                reply.json::<wire::Token>().await.ok()?.token
            }
            Ok(reply) => {
                error!(status = %reply.status(), "the carrier refused to issue a token");
                return None;
            }
            Err(error) => {
                warn!(error = %error.without_url(), "cannot reach the carrier");
                return None;
            }
        };
        *cached = Some((token.clone(), self.clock.now() + TOKEN_LIFETIME));
        Some(token)
    }
}
