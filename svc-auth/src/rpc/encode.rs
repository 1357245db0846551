//! Encodes the results of use cases as replies.

use proto::{
    auth::v1::{
        Country as WireCountry, Currency as WireCurrency, DataCopy as WireDataCopy,
        GetProfileResponse, GetReferralResponse, PayoutPhone as WirePayoutPhone,
        PlayerNames as WireNames, Profile as WireProfile, PublicPlayer as WirePlayer, Session,
        SetProfilePictureResponse, StartDeviceConfirmationResponse, StartOAuthJoinResponse,
        StartOAuthResponse, StartPayoutPhoneResponse, StartPhoneSignInResponse,
    },
    timestamp,
};

use crate::{
    app::{CodeMailed, CodeSent, OwnProfile, PayoutCodeSent, PictureSet, SignedIn, Started},
    domain::{
        Country, Currency, DataCopy, PayoutPhone, PlayerNames, Profile, PublicPlayer, Referral,
        Standing,
    },
};

impl From<DataCopy> for WireDataCopy {
    fn from(copy: DataCopy) -> Self {
        Self {
            requested_at: Some(timestamp(copy.requested_at)),
            completed_at: copy.completed_at.map(timestamp),
            expires_at: Some(timestamp(copy.expires_at)),
        }
    }
}

impl From<SignedIn> for Session {
    fn from(signed_in: SignedIn) -> Self {
        Self {
            uid: signed_in.player.to_string(),
            access_token: signed_in.access.token,
            refresh_token: signed_in.refresh,
            expiration_time_ms: signed_in.access.expires_at.unix_timestamp() * 1_000,
            is_new_user: signed_in.is_new,
            stay_signed_in: signed_in.stays,
            device_token: signed_in.device.unwrap_or_default(),
        }
    }
}

impl From<CodeSent> for StartPhoneSignInResponse {
    fn from(sent: CodeSent) -> Self {
        Self {
            challenge_id: sent.challenge_token,
            digits: sent.length.digits().into(),
            expires_at: Some(timestamp(sent.expires_at)),
            resend_at: Some(timestamp(sent.resend_at)),
            known_device: sent.standing == Standing::Known,
        }
    }
}

impl From<CodeMailed> for StartDeviceConfirmationResponse {
    fn from(mailed: CodeMailed) -> Self {
        Self {
            email_hint: mailed.email_hint,
            expires_at: Some(timestamp(mailed.expires_at)),
            resend_at: Some(timestamp(mailed.resend_at)),
        }
    }
}

impl From<PayoutCodeSent> for StartPayoutPhoneResponse {
    fn from(sent: PayoutCodeSent) -> Self {
        Self {
            phone: sent.phone.e164(),
            expires_at: Some(timestamp(sent.expires_at)),
            resend_at: Some(timestamp(sent.resend_at)),
        }
    }
}

impl From<PayoutPhone> for WirePayoutPhone {
    fn from(proven: PayoutPhone) -> Self {
        Self { phone: proven.phone.e164(), opens_at: Some(timestamp(proven.opens_at)) }
    }
}

impl From<CodeMailed> for StartOAuthJoinResponse {
    fn from(mailed: CodeMailed) -> Self {
        Self {
            email_hint: mailed.email_hint,
            expires_at: Some(timestamp(mailed.expires_at)),
            resend_at: Some(timestamp(mailed.resend_at)),
        }
    }
}

impl From<Started> for StartOAuthResponse {
    fn from(started: Started) -> Self {
        Self {
            authorization_url: started.authorization_url,
            state: started.state.expose(),
            browser_secret: started.browser.expose(),
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
            break_until: profile.break_until.map(timestamp),
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

impl From<PlayerNames> for WireNames {
    fn from(names: PlayerNames) -> Self {
        Self { id: names.id.to_string(), username: names.username, name: names.name }
    }
}

impl From<PictureSet> for SetProfilePictureResponse {
    fn from(set: PictureSet) -> Self {
        Self { profile: Some(set.profile.into()), replaced_url: set.replaced }
    }
}

impl From<Referral> for GetReferralResponse {
    fn from(referral: Referral) -> Self {
        Self {
            referral_code: referral.code,
            redeemed: referral.redeemed,
            invited: referral.invited,
        }
    }
}

impl From<&Country> for WireCountry {
    fn from(country: &Country) -> Self {
        Self {
            id: country.alpha2.clone(),
            name: country.name.clone(),
            alpha2_code: country.alpha2.clone(),
            alpha3_code: country.alpha3.clone(),
            region: country.region.clone(),
        }
    }
}

impl From<&Currency> for WireCurrency {
    fn from(currency: &Currency) -> Self {
        Self {
            id: currency.code.clone(),
            code: currency.code.clone(),
            name: currency.name.clone(),
            country_id: currency.country_id.clone(),
        }
    }
}
