//! Where providers report to. What arrives is passed on unread: svc-wallet
//! stores it before it is answered, and judges it afterwards.

use axum::{
    Extension, Json,
    extract::{DefaultBodyLimit, Request, State},
};
use mesh::Fault;
use proto::wallet::v1::{Provider, ReceiveCallbackRequest};
use serde::Serialize;

use crate::{
    Gateway,
    edge::address::ClientAddress,
    envelope::Refusal,
    http::{body, param::Segment},
};

/// Hexadecimal digits of a secret of ours.
const SECRET_LENGTH: usize = 32;
/// Largest report, in bytes. Daraja's are below one kilobyte; each is stored
/// before it is judged, so a stranger's must not cost much room.
const BODY_LIMIT: usize = 16 * 1024;

/// `POST //hooks/stk/{secret}`: results of M-Pesa STK pushes (Daraja).
///
/// Of any content type. Anything but a 200 means that nothing was stored; the
/// wallet then finds out by asking the provider. What svc-wallet refuses is passed
/// on: a secret that it does not know is a path that does not exist.
pub(crate) async fn stk(
    State(gateway): State<Gateway>,
    Extension(ClientAddress(source)): Extension<ClientAddress>,
    Segment(secret): Segment,
    mut request: Request,
) -> Result<Json<Accepted>, Refusal> {
    // What was never one of ours costs svc-wallet nothing.
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
        // Whatever the trouble is: nothing was stored, and that is all a provider need know.
        Err(refusal) if refusal.is_failure() => Err(Fault::unavailable().into()),
        Err(refusal) => Err(refusal),
    }
}

/// What Daraja wants to hear.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Accepted {
    result_code: u8,
    result_desc: &'static str,
}

impl Accepted {
    const NOW: Self = Self { result_code: 0, result_desc: "Accepted" };
}
