//! The player's own profile.

use axum::extract::State;
use http::StatusCode;
use proto::{
    Absent,
    auth::v1::{self as rpc, DeleteAccountRequest, GetProfileRequest, UpdateProfileRequest},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    Outcome,
    body::{Body, request},
    param::Segment,
    wire::At,
};
use crate::{Gateway, envelope::Reply, openapi::schema::payloads};

/// `GET /auth/login`: the profile, which the app reads after every sign-in.
pub(crate) async fn log_in(State(gateway): State<Gateway>) -> Outcome<Profile> {
    let mut players = gateway.upstreams().players();
    let reply = players.get_profile(GetProfileRequest {}).await?.into_inner();
    let status = if reply.created { StatusCode::CREATED } else { StatusCode::OK };
    let profile = reply.profile.try_into()?;
    Ok(Reply::new(status, "LOGGED_IN", profile))
}

/// `PUT /profile/{uid}`
pub(crate) async fn update(
    State(gateway): State<Gateway>,
    Segment(uid): Segment,
    Body(body): Body<UpdateProfile>,
) -> Outcome<Profile> {
    let request = UpdateProfileRequest {
        uid,
        name: body.name,
        username: body.username,
        email: body.email,
        dob: body.dob,
        gender: body.gender,
        phone: body.phone,
        currency_id: body.currency_id,
        country_id: body.country_id,
    };
    let reply = gateway.upstreams().players().update_profile(request).await?;
    Ok(Reply::ok(reply.into_inner().profile.try_into()?))
}

/// `DELETE /profile/{uid}`
pub(crate) async fn delete(
    State(gateway): State<Gateway>,
    Segment(uid): Segment,
    Body(body): Body<DeleteAccount>,
) -> Outcome<()> {
    let request = DeleteAccountRequest { uid, confirm: body.confirm };
    gateway.upstreams().players().delete_account(request).await?;
    Ok(Reply::ok(()))
}

request! {
    /// One or more fields of a profile.
    pub(crate) struct UpdateProfile {
        name: Option<String> = "name",
        username: Option<String> = "username",
        email: Option<String> = "email",
        #[schema(format = "date")]
        dob: Option<String> = "dob",
        gender: Option<String> = "gender",
        phone: Option<String> = "phone",
        /// The code of a currency (ISO 4217).
        currency_id: Option<String> = "currencyId",
        /// The alpha-2 code of a country (ISO 3166-1).
        country_id: Option<String> = "countryId",
    }
}

request! {
    /// The deletion of an account.
    pub(crate) struct DeleteAccount {
        /// `DELETE`
        confirm: String = "confirm",
    }
}

payloads!(Profile);

/// A player's profile; a field that is not set is null.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Profile {
    /// The player's id; `uid` has the same value.
    id: String,
    uid: String,
    name: Option<String>,
    username: Option<String>,
    email: Option<String>,
    /// YYYY-MM-DD
    dob: Option<String>,
    gender: Option<String>,
    phone: Option<String>,
    profile_pic: Option<String>,
    country_id: Option<String>,
    currency_id: Option<String>,
    /// Always empty: rooms cannot be joined yet.
    chat_rooms: Vec<String>,
    /// The player's own code for inviting others.
    referral_code: String,
    created_at: At,
}

impl TryFrom<Option<rpc::Profile>> for Profile {
    type Error = Absent;

    fn try_from(profile: Option<rpc::Profile>) -> Result<Self, Absent> {
        let profile = profile.ok_or(Absent("profile"))?;
        Ok(Self {
            id: profile.uid.clone(),
            uid: profile.uid,
            name: profile.name,
            username: profile.username,
            email: profile.email,
            dob: profile.dob,
            gender: profile.gender,
            phone: profile.phone,
            profile_pic: profile.profile_pic,
            country_id: profile.country_id,
            currency_id: profile.currency_id,
            chat_rooms: Vec::new(),
            referral_code: profile.referral_code,
            created_at: At::promised(profile.created_at, "created_at")?,
        })
    }
}
