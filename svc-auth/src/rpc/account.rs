//! Between the wire's words and ours: pictures, referrals, ISO's lists, the end.

use proto::auth::v1::{
    Country as WireCountry, Currency as WireCurrency, DeleteAccountRequest, GetReferralResponse,
    SetProfilePictureResponse,
};
use types::PlayerId;

use crate::{
    app::{DeleteAccount, PictureSet},
    domain::{Country, Currency, Referral, ReferralCode},
    error::Error,
};

/// Pictures that may be asked about at once.
const MAX_PICTURES: usize = 1_000;

/// What a player types who means it.
const CONFIRMATION: &str = "DELETE";

pub(super) fn picture_urls(wire: Vec<String>) -> Result<Vec<String>, Error> {
    if wire.len() > MAX_PICTURES {
        return Err(Error::invalid("urls", "At most 1,000 pictures at once."));
    }
    Ok(wire)
}

/// `None` is a text that is nobody's code.
pub(super) fn referral_code(typed: &str) -> Result<Option<ReferralCode>, Error> {
    if typed.trim().is_empty() {
        return Err(Error::invalid("referralCode", "Please enter a referral code."));
    }
    Ok(ReferralCode::parse(typed))
}

impl From<DeleteAccountRequest> for DeleteAccount {
    fn from(wire: DeleteAccountRequest) -> Self {
        Self { player: PlayerId::parse(&wire.uid).ok(), confirmed: wire.confirm == CONFIRMATION }
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
