//! Providers' callbacks. The gateway passes them on unread; svc-wallet stores each before
//! the reply, and evaluates it afterwards.

use axum::{
    Extension, Json,
    extract::{DefaultBodyLimit, FromRequest, FromRequestParts as _, Request, State},
};
use mesh::{Fault, http_server::ClientAddress};
use proto::wallet::v1::{Provider, ReceiveCallbackRequest};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    Gateway,
    envelope::Refusal,
    http::{body, param::Segment},
    openapi::{
        operation::{Input, Operation},
        schema::payloads,
    },
};

/// Hexadecimal digits of a secret.
const SECRET_LENGTH: usize = 32;
/// Largest callback, in bytes. Daraja's callbacks are below one kilobyte; each callback is stored
/// before it is evaluated, so a forged one must not take much room.
const BODY_LIMIT: usize = 16 * 1024;
/// Largest Paystack event, in bytes: it contains the whole transaction.
const PAYSTACK_BODY_LIMIT: usize = 64 * 1024;
/// The header with the HMAC-SHA512 of the body.
const PAYSTACK_SIGNATURE: &str = "x-paystack-signature";
/// Hexadecimal digits of an HMAC-SHA512.
const SIGNATURE_LENGTH: usize = 128;

/// `POST /hooks/stk/{secret}`: results of M-Pesa STK pushes (Daraja).
///
/// Accepts any content type. A status other than 200 means that nothing was stored; the
/// wallet then queries the provider. svc-wallet's refusals are passed on: for an unknown
/// secret the reply is that of an unknown path.
pub(crate) async fn stk(gateway: State<Gateway>, call: Call) -> Result<Json<Accepted>, Refusal> {
    call.store(&gateway, Provider::MpesaStk).await
}

/// `POST /hooks/b2c/{secret}`: results of M-Pesa payouts (Daraja).
pub(crate) async fn b2c(gateway: State<Gateway>, call: Call) -> Result<Json<Accepted>, Refusal> {
    call.store(&gateway, Provider::MpesaB2c).await
}

/// `POST /hooks/timeout/{secret}`: notices that Daraja gave up a payout or a query in its queue.
pub(crate) async fn timeout(
    gateway: State<Gateway>,
    call: Call,
) -> Result<Json<Accepted>, Refusal> {
    call.store(&gateway, Provider::MpesaTimeout).await
}

/// `POST /hooks/status/{secret}`: results of Daraja's transaction status queries.
pub(crate) async fn status(gateway: State<Gateway>, call: Call) -> Result<Json<Accepted>, Refusal> {
    call.store(&gateway, Provider::MpesaStatus).await
}

/// `POST /hooks/reversal/{secret}`: results of Daraja's reversals.
pub(crate) async fn reversal(
    gateway: State<Gateway>,
    call: Call,
) -> Result<Json<Accepted>, Refusal> {
    call.store(&gateway, Provider::MpesaReversal).await
}

/// `POST /hooks/airtime/{secret}`: notifications of Safaricom's carrier billing.
pub(crate) async fn airtime(
    gateway: State<Gateway>,
    call: Call,
) -> Result<Json<Accepted>, Refusal> {
    call.store(&gateway, Provider::Airtime).await
}

/// `POST /hooks/paystack`: Paystack's events, which are signed.
pub(crate) async fn paystack(
    State(gateway): State<Gateway>,
    Extension(ClientAddress(source)): Extension<ClientAddress>,
    mut request: Request,
) -> Result<Json<Accepted>, Refusal> {
    let signature = request.headers().get(PAYSTACK_SIGNATURE).and_then(|text| text.to_str().ok());
    // An event without a signature is refused without a call to svc-wallet.
    let is_hash = |text: &&str| is_hex(text, SIGNATURE_LENGTH);
    let Some(signature) = signature.filter(is_hash).map(str::to_owned) else {
        return Err(Fault::unauthenticated().into());
    };
    DefaultBodyLimit::max(PAYSTACK_BODY_LIMIT).apply(&mut request);
    let callback = ReceiveCallbackRequest {
        provider: Provider::Paystack.into(),
        secret: String::new(),
        body: body::bytes(request, &gateway).await?.into(),
        source_ip: source.to_string(),
        signature,
    };
    store(&gateway, callback).await
}

/// A callback whose path has a secret.
pub(crate) struct Call {
    secret: String,
    source: String,
    request: Request,
}

impl FromRequest<Gateway> for Call {
    type Rejection = Refusal;

    async fn from_request(request: Request, gateway: &Gateway) -> Result<Self, Refusal> {
        let (mut parts, body) = request.into_parts();
        let Segment(secret) = Segment::from_request_parts(&mut parts, gateway).await?;
        // A path that cannot be one of ours is refused without a call to svc-wallet.
        if !is_hex(&secret, SECRET_LENGTH) {
            return Err(Refusal::not_found());
        }
        let source = parts.extensions.get().map(|ClientAddress(source)| source.to_string());
        let source = source.unwrap_or_default();
        Ok(Self { secret, source, request: Request::from_parts(parts, body) })
    }
}

/// Adds nothing: the document has the path's secret from the route's row, and the body is the
/// provider's.
impl Input for Call {
    fn describe(_: &mut Operation) {}
}

impl Call {
    async fn store(
        mut self,
        gateway: &Gateway,
        provider: Provider,
    ) -> Result<Json<Accepted>, Refusal> {
        DefaultBodyLimit::max(BODY_LIMIT).apply(&mut self.request);
        let callback = ReceiveCallbackRequest {
            provider: provider.into(),
            secret: self.secret,
            body: body::bytes(self.request, gateway).await?.into(),
            source_ip: self.source,
            signature: String::new(),
        };
        store(gateway, callback).await
    }
}

async fn store(
    gateway: &Gateway,
    callback: ReceiveCallbackRequest,
) -> Result<Json<Accepted>, Refusal> {
    let mut callbacks = gateway.upstreams().callbacks();
    match callbacks.receive_callback(callback).await.map_err(Refusal::from) {
        Ok(_) => Ok(Json(Accepted::NOW)),
        // Nothing was stored; the provider needs no other detail.
        Err(refusal) if refusal.is_failure() => Err(Fault::unavailable().into()),
        Err(refusal) => Err(refusal),
    }
}

fn is_hex(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

payloads!(Accepted);

/// The reply that Daraja expects.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Accepted {
    result_code: u8,
    result_desc: &'static str,
}

impl Accepted {
    const NOW: Self = Self { result_code: 0, result_desc: "Accepted" };
}
