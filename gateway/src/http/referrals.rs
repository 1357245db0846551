//! Referral codes.

use axum::extract::State;
use http::StatusCode;
use proto::auth::v1::{self as rpc, GetReferralRequest, RedeemReferralRequest};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    HandlerResult,
    body::{Body, request},
};
use crate::{Gateway, envelope::Reply, openapi::schema::payloads};

/// `GET /referrals`
pub(crate) async fn get(State(gateway): State<Gateway>) -> HandlerResult<Referral> {
    let referral = gateway.upstreams().players().get_referral(GetReferralRequest {}).await?;
    Ok(Reply::ok(referral.into_inner().into()))
}

/// `POST /referrals`
pub(crate) async fn redeem(
    State(gateway): State<Gateway>,
    Body(body): Body<RedeemReferral>,
) -> HandlerResult<()> {
    let request = RedeemReferralRequest { referral_code: body.referral_code };
    gateway.upstreams().players().redeem_referral(request).await?;
    Ok(Reply::new(StatusCode::OK, "REFERRAL_ACCEPTED", ()))
}

request! {
    /// A friend's code.
    pub(crate) struct RedeemReferral {
        referral_code: String = "referralCode",
    }
}

payloads!(Referral);

/// A player's own code, and how often it was redeemed.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Referral {
    referral_code: String,
    /// Whether the player has redeemed a friend's code.
    redeemed: bool,
    invited: i64,
}

impl From<rpc::GetReferralResponse> for Referral {
    fn from(reply: rpc::GetReferralResponse) -> Self {
        Self {
            referral_code: reply.referral_code,
            redeemed: reply.redeemed,
            invited: reply.invited,
        }
    }
}
