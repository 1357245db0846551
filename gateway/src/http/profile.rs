//! The player's own profile.

use std::time::Duration;

use axum::extract::State;
use http::StatusCode;
use proto::{
    Absent,
    auth::v1::{
        self as rpc, BreakLength, DeleteAccountRequest, GetProfileRequest, StartBreakRequest,
        UpdateProfileRequest,
    },
    chat::v1::ListJoinedRoomsRequest,
};
use serde::Serialize;
use tracing::warn;
use utoipa::ToSchema;

use super::{
    HandlerResult,
    body::{Body, request},
    param::Segment,
    wire::At,
};
use crate::{Gateway, envelope::Reply, openapi::schema::payloads};

/// Longest that a profile waits for the player's rooms.
const ROOMS_LIMIT: Duration = Duration::from_secs(1);

/// `GET /auth/login`: the profile, which the app reads after every sign-in.
pub(crate) async fn log_in(State(gateway): State<Gateway>) -> HandlerResult<Profile> {
    let mut players = gateway.upstreams().players();
    let (reply, rooms) =
        tokio::join!(players.get_profile(GetProfileRequest {}), joined_rooms(&gateway));
    let reply = reply?.into_inner();
    let status = if reply.created { StatusCode::CREATED } else { StatusCode::OK };
    let profile = Profile::new(reply.profile, rooms)?;
    Ok(Reply::new(status, "LOGGED_IN", profile))
}

/// `PUT /profile/{uid}`
pub(crate) async fn update(
    State(gateway): State<Gateway>,
    Segment(uid): Segment,
    Body(body): Body<UpdateProfile>,
) -> HandlerResult<Profile> {
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
    let rooms = joined_rooms(&gateway).await;
    Ok(Reply::ok(Profile::new(reply.into_inner().profile, rooms)?))
}

/// `POST /profile/break`
pub(crate) async fn start_break(
    State(gateway): State<Gateway>,
    Body(body): Body<StartBreak>,
) -> HandlerResult<Break> {
    let length = parse_length(&body.length).into();
    let reply = gateway.upstreams().players().start_break(StartBreakRequest { length }).await?;
    let ends_at = At::promised(reply.into_inner().ends_at, "ends_at")?;
    Ok(Reply::new(StatusCode::OK, "BREAK_STARTED", Break { ends_at }))
}

/// Parses the length of a break; an unknown one becomes unspecified, which svc-auth refuses.
fn parse_length(text: &str) -> BreakLength {
    match text {
        "DAY" => BreakLength::Day,
        "WEEK" => BreakLength::Week,
        "SIX_WEEKS" => BreakLength::SixWeeks,
        "HALF_YEAR" => BreakLength::HalfYear,
        "YEAR" => BreakLength::Year,
        "FIVE_YEARS" => BreakLength::FiveYears,
        _ => BreakLength::Unspecified,
    }
}

/// The rooms that the caller has joined. Without svc-chat a profile has none: signing in
/// does not wait for it.
async fn joined_rooms(gateway: &Gateway) -> Vec<String> {
    let mut chat = gateway.upstreams().chat();
    let joined = chat.list_joined_rooms(ListJoinedRoomsRequest {});
    match tokio::time::timeout(ROOMS_LIMIT, joined).await {
        Ok(Ok(reply)) => reply.into_inner().chat_room_uids,
        Ok(Err(status)) => {
            warn!(code = ?status.code(), "a profile without the player's rooms");
            Vec::new()
        }
        Err(_) => {
            warn!("a profile without the player's rooms: svc-chat did not reply in time");
            Vec::new()
        }
    }
}

/// `DELETE /profile/{uid}`
pub(crate) async fn delete(
    State(gateway): State<Gateway>,
    Segment(uid): Segment,
    Body(body): Body<DeleteAccount>,
) -> HandlerResult<()> {
    let request = DeleteAccountRequest { uid, confirm: body.confirm };
    gateway.upstreams().players().delete_account(request).await?;
    Ok(Reply::ok(()))
}

request! {
    /// New values for one or more fields of a profile.
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

request! {
    /// A break from play.
    pub(crate) struct StartBreak {
        /// `DAY`, `WEEK`, `SIX_WEEKS`, `HALF_YEAR`, `YEAR` or `FIVE_YEARS`.
        length: String = "length",
    }
}

payloads!(Profile, Break);

/// A break from play.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Break {
    ends_at: At,
}

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
    /// The date of birth, as YYYY-MM-DD.
    dob: Option<String>,
    gender: Option<String>,
    phone: Option<String>,
    profile_pic: Option<String>,
    country_id: Option<String>,
    currency_id: Option<String>,
    /// The chatRoomUids of the rooms that the player has joined.
    chat_rooms: Vec<String>,
    /// The player's own code for inviting others.
    referral_code: String,
    created_at: At,
    /// The end of the player's break, which may be over.
    break_until: Option<At>,
}

impl Profile {
    fn new(profile: Option<rpc::Profile>, chat_rooms: Vec<String>) -> Result<Self, Absent> {
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
            chat_rooms,
            referral_code: profile.referral_code,
            created_at: At::promised(profile.created_at, "created_at")?,
            break_until: At::optional(profile.break_until, "break_until")?,
        })
    }
}
