//! Cards by Paystack: a hosted page, its transactions and their refunds.
//!
//! Two facts shape this file. The outer `status: true` only says that the call worked; the
//! transaction has a status of its own. And a reference is used once: a second
//! initialisation under it is refused as a duplicate, and its page's address is lost.

mod event;
mod refund_state;
mod wire;

use mesh::instrument;
use reqwest::{Method, RequestBuilder, StatusCode};
use serde::de::DeserializeOwned;
use time::OffsetDateTime;
use tracing::{error, warn};
use types::{ExposeSecret, Money, PlayerId};

pub(crate) use self::{
    event::{BadEvent, EventContent, parse_event},
    refund_state::{Refund, RefundState},
};
use super::call_end::{self, CallEnd};
use crate::{
    config::PaystackArgs,
    domain::{CardReference, CardTransaction},
};

/// Transactions per page of Paystack's list: its maximum.
const PER_PAGE: usize = 100;
/// Maximum pages per match: 200,000 transactions a day are more than PlayOn's cards have.
const PAGES: u32 = 2_000;

/// A client of Paystack.
pub(crate) struct Paystack {
    http: reqwest::Client,
    args: PaystackArgs,
}

/// The result of an initialisation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OpenResult {
    /// The page is open at this address.
    Opened(String),
    /// The reference was used before.
    Duplicate,
    /// Refused: no page is open.
    Refused(String),
    /// Nothing was sent.
    NotSent,
    /// The reply was lost: a page may be open, and its address is not known.
    Unknown,
}

/// The result of a verification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum VerifyResult {
    Found(CardTransaction),
    /// Paystack has no transaction with this reference.
    NotFound,
    /// The reply is unusable: verify again later.
    Unknown,
}

/// The result of a refund.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RefundResult {
    Accepted(Refund),
    /// Refused: no money goes back.
    Refused(String),
    /// Nothing was sent.
    NotSent,
    /// The reply was lost: the refund may be under way.
    Unknown,
}

/// Why a call has no usable reply.
enum CallError {
    NotSent,
    /// Paystack replied with an error of its own.
    Replied {
        status: StatusCode,
        error: wire::ApiError,
    },
    ReplyLost,
}

impl CallError {
    fn end(&self) -> CallEnd {
        match self {
            Self::NotSent => CallEnd::NotSent,
            Self::ReplyLost => CallEnd::ReplyLost,
            // Paystack refuses our key before it does anything.
            Self::Replied { status: StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN, .. } => {
                CallEnd::NotSent
            }
            Self::Replied { status, .. } if is_refusal(*status) => CallEnd::Refused,
            Self::Replied { .. } => CallEnd::Failed,
        }
    }
}

impl Paystack {
    pub(crate) fn new(args: PaystackArgs) -> anyhow::Result<Self> {
        let http = mesh::http::client(args.paystack_timeout)?;
        Ok(Self { http, args })
    }

    /// Whether real money is expected, and no test cards.
    pub(crate) const fn expects_live(&self) -> bool {
        self.args.paystack_live
    }

    /// Opens the page of a payment. The page returns to the waiting screen of the web app.
    #[instrument(name = "paystack.initialize", skip_all, fields(otel.kind = "client", reference = %reference))]
    pub(crate) async fn open(
        &self,
        reference: CardReference,
        payer: PlayerId,
        amount: Money,
    ) -> OpenResult {
        let return_url = format!("{}?payment={}", self.args.paystack_return_url, reference.payment);
        let body = wire::InitializeRequest {
            email: &self.email(payer),
            amount: amount.cents(),
            currency: "KES",
            reference: &reference.to_string(),
            channels: ["card"],
            callback_url: &return_url,
            metadata: wire::Metadata { cancel_action: &return_url },
        };
        let request = self.request(Method::POST, "/transaction/initialize").json(&body);
        match call::<wire::Initialized>("/transaction/initialize", request).await {
            Ok(opened) if opened.reference != reference.to_string() => {
                error!("Paystack opened a page for another reference");
                OpenResult::Unknown
            }
            Ok(opened) if !is_page(&opened.authorization_url) => {
                error!("Paystack sent a page without a usable address");
                OpenResult::Unknown
            }
            Ok(opened) => OpenResult::Opened(opened.authorization_url),
            Err(CallError::NotSent) => OpenResult::NotSent,
            Err(CallError::Replied { error, .. }) if error.is_duplicate() => OpenResult::Duplicate,
            Err(CallError::Replied { status, error }) if is_refusal(status) => {
                error!(%status, code = error.code, text = error.message, "Paystack refused a payment");
                OpenResult::Refused(error.code)
            }
            Err(CallError::Replied { .. } | CallError::ReplyLost) => OpenResult::Unknown,
        }
    }

    /// Returns the transaction that Paystack has under a reference.
    #[instrument(name = "paystack.verify", skip_all, fields(otel.kind = "client", reference = %reference))]
    pub(crate) async fn verify(&self, reference: CardReference) -> VerifyResult {
        let path = format!("/transaction/verify/{reference}");
        match call::<wire::Transaction>("/transaction/verify", self.request(Method::GET, &path))
            .await
        {
            Ok(transaction) => {
                transaction.parse().map_or(VerifyResult::Unknown, VerifyResult::Found)
            }
            Err(CallError::Replied { status, error }) if error.is_not_found(status) => {
                VerifyResult::NotFound
            }
            Err(CallError::Replied { status, error }) => {
                warn!(%status, code = error.code, "Paystack did not verify a payment");
                VerifyResult::Unknown
            }
            Err(CallError::NotSent | CallError::ReplyLost) => VerifyResult::Unknown,
        }
    }

    /// Refunds a transaction, in part or whole. Paystack cannot recognise a refund that is sent
    /// twice; a refund whose reply was lost is found by `note`.
    #[instrument(name = "paystack.refund", skip_all, fields(otel.kind = "client", transaction))]
    pub(crate) async fn refund(
        &self,
        transaction: &str,
        amount: Money,
        note: &str,
    ) -> RefundResult {
        let body = wire::RefundRequest {
            transaction,
            amount: amount.cents(),
            currency: "KES",
            merchant_note: note,
        };
        let request = self.request(Method::POST, "/refund").json(&body);
        match call::<wire::Refund>("/refund", request).await {
            Ok(refund) => refund.parse().map_or(RefundResult::Unknown, RefundResult::Accepted),
            Err(CallError::NotSent) => RefundResult::NotSent,
            Err(CallError::Replied { status, error }) if is_refusal(status) => {
                error!(%status, code = error.code, text = error.message, "Paystack refused a refund");
                RefundResult::Refused(error.code)
            }
            Err(CallError::Replied { .. } | CallError::ReplyLost) => RefundResult::Unknown,
        }
    }

    /// A refund's state; `None` without a usable reply.
    #[instrument(name = "paystack.refund_status", skip_all, fields(otel.kind = "client", refund = id))]
    pub(crate) async fn refund_status(&self, id: &str) -> Option<Refund> {
        let path = format!("/refund/{id}");
        call::<wire::Refund>("/refund/{id}", self.request(Method::GET, &path)).await.ok()?.parse()
    }

    /// The refunds of a transaction; `None` without a usable reply.
    #[instrument(name = "paystack.refunds", skip_all, fields(otel.kind = "client", transaction))]
    pub(crate) async fn refunds(&self, transaction: &str) -> Option<Vec<Refund>> {
        let request =
            self.request(Method::GET, &format!("/refund?transaction={transaction}&perPage=100"));
        let refunds = call::<Vec<wire::Refund>>("/refund?transaction", request).await.ok()?;
        Some(refunds.into_iter().filter_map(wire::Refund::parse).collect())
    }

    /// Returns the transactions that began in a period, for the match with our records. `None`
    /// without a usable reply, because a part of them would look like all.
    #[instrument(name = "paystack.transactions", skip_all, fields(otel.kind = "client"))]
    pub(crate) async fn transactions(
        &self,
        from: OffsetDateTime,
        to: OffsetDateTime,
    ) -> Option<Vec<CardTransaction>> {
        let (from, to) = (wire::format_time(from)?, wire::format_time(to)?);
        let mut transactions = Vec::new();
        for page in 1..=PAGES {
            let path = format!("/transaction?from={from}&to={to}&page={page}&perPage={PER_PAGE}");
            let found: Vec<wire::Transaction> =
                call("/transaction", self.request(Method::GET, &path)).await.ok()?;
            let is_last = found.len() < PER_PAGE;
            transactions.extend(found.into_iter().filter_map(wire::Transaction::parse));
            if is_last {
                return Some(transactions);
            }
        }
        error!("Paystack lists more transactions than one match reads");
        None
    }

    /// Whether `signature` is Paystack's signature of this body, compared in constant time.
    pub(crate) fn is_signed(&self, body: &[u8], signature: &str) -> bool {
        event::is_signed(self.args.paystack_secret_key.expose_secret(), body, signature)
    }

    /// Returns an email address of a payer, because Paystack requires one. It has no mailbox, and
    /// is the same for all payments of a player.
    fn email(&self, payer: PlayerId) -> String {
        format!("player-{}@{}", payer.uuid().simple(), self.args.paystack_email_domain)
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("{}{path}", self.args.paystack_base_url);
        self.http.request(method, url).bearer_auth(self.args.paystack_secret_key.expose_secret())
    }
}

/// Whether players' browsers may be sent to this URL.
fn is_page(url: &str) -> bool {
    crate::config::url(url).is_ok_and(|_| url.len() <= 500)
}

/// Whether the error rules out that Paystack did anything.
fn is_refusal(status: StatusCode) -> bool {
    status.is_client_error()
        && status != StatusCode::REQUEST_TIMEOUT
        && status != StatusCode::TOO_MANY_REQUESTS
}

/// Makes one call, and records how it ended. `name` is the call's path without ids.
async fn call<R: DeserializeOwned>(
    name: &'static str,
    request: RequestBuilder,
) -> Result<R, CallError> {
    let reply = send(request).await;
    let end = reply.as_ref().map_or_else(CallError::end, |_| CallEnd::Replied);
    call_end::record("paystack", name, end);
    reply
}

async fn send<R: DeserializeOwned>(request: RequestBuilder) -> Result<R, CallError> {
    let sent = request.send().await;
    let reply = sent.map_err(|error| {
        // Without a connection, nothing was sent.
        let call_error = if error.is_connect() { CallError::NotSent } else { CallError::ReplyLost };
        warn!(error = %error.without_url(), "no reply from Paystack");
        call_error
    })?;
    let status = reply.status();
    let body = reply.bytes().await.map_err(|_| CallError::ReplyLost)?;
    if status.is_success() {
        let envelope: wire::ReplyBody<R> =
            serde_json::from_slice(&body).map_err(|_| CallError::ReplyLost)?;
        return envelope.data.filter(|_| envelope.status).ok_or(CallError::ReplyLost);
    }
    match serde_json::from_slice(&body) {
        Ok(error) => Err(CallError::Replied { status, error }),
        Err(_) => Err(CallError::ReplyLost),
    }
}
