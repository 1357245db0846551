//! The player's own profile.

use axum::extract::State;
use http::StatusCode;
use proto::{
    Absent,
    auth::v1::{self as rpc, DeleteAccountRequest, GetProfileRequest, UpdateProfileRequest},
};
use serde::Serialize;

use super::{Outcome, body::Body, param::Segment, wire::At};
use crate::{Gateway, envelope::Reply};

/// `GET /auth/login`: the profile, which the app reads after every sign-in.
pub(crate) async fn log_in(State(gateway): State<Gateway>) -> Outcome<Profile> {
    let mut players = gateway.upstreams().players();
    let reply = players.get_profile(GetProfileRequest {}).await?.into_inner();
    let status = if reply.created { StatusCode::CREATED } else { StatusCode::OK };
    let profile = reply.profile.try_into()?;
    Ok(Reply::new(status, "You have been logged in.", profile))
}

/// `PUT /profile/{uid}`
pub(crate) async fn update(
    State(gateway): State<Gateway>,
    Segment(uid): Segment,
    body: Body,
) -> Outcome<Profile> {
    let request = body.read(|fields| UpdateProfileRequest {
        uid,
        name: fields.optional_text("name"),
        username: fields.optional_text("username"),
        email: fields.optional_text("email"),
        dob: fields.optional_text("dob"),
        gender: fields.optional_text("gender"),
        phone: fields.optional_text("phone"),
        currency_id: fields.optional_text("currencyId"),
        country_id: fields.optional_text("countryId"),
    })?;
    let reply = gateway.upstreams().players().update_profile(request).await?;
    Ok(Reply::ok(reply.into_inner().profile.try_into()?))
}

/// `DELETE /profile/{uid}`
pub(crate) async fn delete(
    State(gateway): State<Gateway>,
    Segment(uid): Segment,
    body: Body,
) -> Outcome<()> {
    let request =
        body.read(|fields| DeleteAccountRequest { uid, confirm: fields.text("confirm") })?;
    gateway.upstreams().players().delete_account(request).await?;
    Ok(Reply::ok(()))
}

/// A player's profile; a field that is not set is null.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Profile {
    id: String,
    uid: String,
    name: Option<String>,
    username: Option<String>,
    email: Option<String>,
    dob: Option<String>,
    gender: Option<String>,
    phone: Option<String>,
    profile_pic: Option<String>,
    country_id: Option<String>,
    currency_id: Option<String>,
    /// Always empty: rooms cannot be joined yet.
    chat_rooms: [String; 0],
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
            chat_rooms: [],
            referral_code: profile.referral_code,
            created_at: At::promised(profile.created_at, "created_at")?,
        })
    }
}
