//! Phones to which a player's withdrawals may go.

use axum::extract::State;
use http::StatusCode;
use proto::{
    Absent,
    auth::v1::{
        self as rpc, ConfirmPayoutPhoneRequest, ListPayoutPhonesRequest, StartPayoutPhoneRequest,
    },
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    HandlerResult,
    body::{Body, request},
    wire::At,
};
use crate::{Gateway, envelope::Reply, openapi::schema::payloads};

/// `GET /payout-phones`
pub(crate) async fn list(State(gateway): State<Gateway>) -> HandlerResult<PayoutPhones> {
    let reply =
        gateway.upstreams().players().list_payout_phones(ListPayoutPhonesRequest {}).await?;
    let phones = reply.into_inner().phones;
    let phones = phones.into_iter().map(TryInto::try_into).collect::<Result<_, Absent>>()?;
    Ok(Reply::ok(PayoutPhones { phones }))
}

/// `POST /payout-phones/start`
pub(crate) async fn start(
    State(gateway): State<Gateway>,
    Body(body): Body<StartPayoutPhone>,
) -> HandlerResult<PayoutPhoneCode> {
    let request = StartPayoutPhoneRequest { phone: body.phone };
    let reply = gateway.upstreams().players().start_payout_phone(request).await?;
    Ok(Reply::new(StatusCode::OK, "PAYOUT_PHONE_CODE_SENT", reply.into_inner().try_into()?))
}

/// `POST /payout-phones/confirm`
pub(crate) async fn confirm(
    State(gateway): State<Gateway>,
    Body(body): Body<ConfirmPayoutPhone>,
) -> HandlerResult<PayoutPhone> {
    let request = ConfirmPayoutPhoneRequest { code: body.code };
    let reply = gateway.upstreams().players().confirm_payout_phone(request).await?;
    let phone = reply.into_inner().phone.ok_or(Absent("phone"))?;
    Ok(Reply::new(StatusCode::OK, "PAYOUT_PHONE_PROVEN", phone.try_into()?))
}

request! {
    /// A phone that the player wants to withdraw to.
    pub(crate) struct StartPayoutPhone {
        /// A Kenyan mobile number.
        phone: String = "phone",
    }
}

request! {
    /// The code of the text message.
    pub(crate) struct ConfirmPayoutPhone {
        code: String = "code",
    }
}

payloads!(PayoutPhones, PayoutPhoneCode, PayoutPhone);

/// The phones that the player has proven, the newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct PayoutPhones {
    phones: Vec<PayoutPhone>,
}

/// A phone to which the player's withdrawals may go.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PayoutPhone {
    /// The number in E.164.
    phone: String,
    /// Withdrawals to the phone are possible from this time on.
    opens_at: At,
}

/// A code that was sent to a phone.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PayoutPhoneCode {
    /// The number in E.164.
    phone: String,
    expires_at: At,
    /// When another code may be requested.
    resend_at: At,
}

impl TryFrom<rpc::PayoutPhone> for PayoutPhone {
    type Error = Absent;

    fn try_from(proven: rpc::PayoutPhone) -> Result<Self, Absent> {
        Ok(Self { phone: proven.phone, opens_at: At::promised(proven.opens_at, "opens_at")? })
    }
}

impl TryFrom<rpc::StartPayoutPhoneResponse> for PayoutPhoneCode {
    type Error = Absent;

    fn try_from(reply: rpc::StartPayoutPhoneResponse) -> Result<Self, Absent> {
        Ok(Self {
            phone: reply.phone,
            expires_at: At::promised(reply.expires_at, "expires_at")?,
            resend_at: At::promised(reply.resend_at, "resend_at")?,
        })
    }
}
