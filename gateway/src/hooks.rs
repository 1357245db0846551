//! Providers' callbacks. The gateway passes them on unread; svc-wallet stores each before
//! the reply, and evaluates it afterwards.

use axum::{
    Extension, Json,
    extract::{DefaultBodyLimit, Request, State},
};
use mesh::{Fault, http_server::ClientAddress};
use proto::wallet::v1::{Provider, ReceiveCallbackRequest};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    Gateway,
    envelope::Refusal,
    http::{body, param::Segment},
    openapi::schema::payloads,
};

/// Hexadecimal digits of a secret.
const SECRET_LENGTH: usize = 32;
/// Largest callback, in bytes. Daraja's are below one kilobyte; each is stored before it
/// is evaluated, so a forged one must not take much room.
const BODY_LIMIT: usize = 16 * 1024;

/// `POST /hooks/stk/{secret}`: results of M-Pesa STK pushes (Daraja).
///
/// Accepts any content type. A status other than 200 means that nothing was stored; the
/// wallet then queries the provider. svc-wallet's refusals are passed on: for an unknown
/// secret the reply is that of an unknown path.
pub(crate) async fn stk(
    State(gateway): State<Gateway>,
    Extension(ClientAddress(source)): Extension<ClientAddress>,
    Segment(secret): Segment,
    mut request: Request,
) -> Result<Json<Accepted>, Refusal> {
    // A path that cannot be one of ours is refused without a call to svc-wallet.
    if secret.len() != SECRET_LENGTH || !secret.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(Refusal::not_found());
    }
    DefaultBodyLimit::max(BODY_LIMIT).apply(&mut request);
    let callback = ReceiveCallbackRequest {
        provider: Provider::MpesaStk.into(),
        secret,
        body: body::bytes(request, &gateway).await?.into(),
        source_ip: source.to_string(),
    };
    let mut callbacks = gateway.upstreams().callbacks();
    match callbacks.receive_callback(callback).await.map_err(Refusal::from) {
        Ok(_) => Ok(Json(Accepted::NOW)),
        // Nothing was stored; the provider needs no other detail.
        Err(refusal) if refusal.is_failure() => Err(Fault::unavailable().into()),
        Err(refusal) => Err(refusal),
    }
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
