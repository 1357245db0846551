//! Referral codes.

use axum::extract::State;
use http::StatusCode;
use proto::auth::v1::{self as rpc, GetReferralRequest, RedeemReferralRequest};
use serde::Serialize;

use super::{Outcome, body::Body};
use crate::{Gateway, envelope::Reply};

/// `GET /referrals`
pub(crate) async fn get(State(gateway): State<Gateway>) -> Outcome<Referral> {
    let referral = gateway.upstreams().players().get_referral(GetReferralRequest {}).await?;
    Ok(Reply::ok(referral.into_inner().into()))
}

/// `POST /referrals`
pub(crate) async fn redeem(State(gateway): State<Gateway>, body: Body) -> Outcome<()> {
    let request =
        body.read(|fields| RedeemReferralRequest { referral_code: fields.text("referralCode") })?;
    gateway.upstreams().players().redeem_referral(request).await?;
    Ok(Reply::new(StatusCode::OK, "Your referral code was accepted.", ()))
}

/// A player's own code, and how often it was redeemed.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Referral {
    referral_code: String,
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
