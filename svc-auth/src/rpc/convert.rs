//! Between the wire's words and ours.

use proto::{
    auth::v1::{
        GetProfileResponse, Profile as WireProfile, PublicPlayer as WirePlayer, Session,
        SignInRequest, SignUpRequest, UpdateProfileRequest,
    },
    timestamp,
};
use types::PlayerId;

use crate::{
    app::{OwnProfile, SignIn, SignUp, SignedIn, UpdateProfile},
    domain::{Draft, Email, EmailError, Password, PasswordError, Profile, PublicPlayer},
    error::{Error, Refused},
};

/// Players that may be asked for at once.
const MAX_IDS: usize = 100;

impl TryFrom<SignUpRequest> for SignUp {
    type Error = Error;

    fn try_from(wire: SignUpRequest) -> Result<Self, Error> {
        Ok(Self {
            email: email(&wire.email)?,
            password: Password::choose(wire.password).map_err(password_error)?,
            captcha: wire.captcha,
        })
    }
}

impl TryFrom<SignInRequest> for SignIn {
    type Error = Error;

    fn try_from(wire: SignInRequest) -> Result<Self, Error> {
        Ok(Self {
            email: email(&wire.email)?,
            password: Password::offer(wire.password).map_err(password_error)?,
        })
    }
}

impl From<UpdateProfileRequest> for UpdateProfile {
    fn from(wire: UpdateProfileRequest) -> Self {
        Self {
            player: PlayerId::parse(&wire.uid).ok(),
            draft: Draft {
                name: wire.name,
                username: wire.username,
                email: wire.email,
                dob: wire.dob,
                gender: wire.gender,
                phone: wire.phone,
                currency_id: wire.currency_id,
                country_id: wire.country_id,
            },
        }
    }
}

/// A text that is no id names nobody, and unknown ids are left out.
pub(super) fn player_ids(wire: &[String]) -> Result<Vec<PlayerId>, Error> {
    if wire.len() > MAX_IDS {
        return Err(Error::invalid("ids", "At most 100 players at once."));
    }
    Ok(wire.iter().filter_map(|text| PlayerId::parse(text).ok()).collect())
}

impl From<SignedIn> for Session {
    fn from(signed_in: SignedIn) -> Self {
        Self {
            uid: signed_in.player.to_string(),
            access_token: signed_in.access.token,
            refresh_token: signed_in.refresh.reveal(),
            expiration_time_ms: signed_in.access.expires_at.unix_timestamp() * 1_000,
            is_new_user: signed_in.is_new,
        }
    }
}

impl From<OwnProfile> for GetProfileResponse {
    fn from(own: OwnProfile) -> Self {
        Self { profile: Some(own.profile.into()), created: own.created }
    }
}

impl From<Profile> for WireProfile {
    fn from(profile: Profile) -> Self {
        Self {
            uid: profile.id.to_string(),
            name: profile.name,
            username: profile.username,
            email: profile.email,
            // A date prints as YYYY-MM-DD.
            dob: profile.dob.map(|dob| dob.to_string()),
            gender: profile.gender,
            phone: profile.phone,
            profile_pic: profile.profile_pic,
            country_id: profile.country_id,
            currency_id: profile.currency_id,
            referral_code: profile.referral_code,
            created_at: Some(timestamp(profile.created_at)),
        }
    }
}

impl From<PublicPlayer> for WirePlayer {
    fn from(player: PublicPlayer) -> Self {
        Self {
            id: player.id.to_string(),
            username: player.username,
            name: player.name,
            profile_pic: player.profile_pic,
        }
    }
}

pub(super) fn email(text: &str) -> Result<Email, Error> {
    Email::parse(text).map_err(|error| match error {
        EmailError::Empty => Error::invalid("email", "Please enter your email"),
        EmailError::Malformed => Error::invalid("email", "Invalid email address"),
    })
}

fn password_error(error: PasswordError) -> Error {
    match error {
        PasswordError::Empty => Error::invalid("password", "Please enter your password"),
        PasswordError::TooShort => Refused::WeakPassword.into(),
        PasswordError::TooLong => {
            Error::invalid("password", "Password should be at most 128 characters.")
        }
    }
}
