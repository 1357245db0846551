//! Decodes requests into the arguments of use cases.

use proto::{
    auth::v1::{
        BatchLookUpPlayersRequest, BreakLength as WireBreakLength, ChangePasswordRequest,
        ConfirmEmailRequest, ConfirmPasswordResetRequest, DataCopyFormat, DeleteAccountRequest,
        ErasedPlayer, FinishOAuthRequest, ListOpenSessionsRequest, OAuthProvider, RefreshRequest,
        RequestPasswordResetRequest, SignInRequest, SignUpRequest, StartPhoneSignInRequest,
        UpdateProfileRequest, VerifyPhoneSignInRequest, finish_o_auth_request,
    },
    from_timestamp,
};
use types::{Msisdn, PlayerId, SessionId};

use crate::{
    app::{
        Answer, BrowserTokens, ChangePassword, ConfirmEmail, ConfirmPasswordReset, Cx,
        DeleteAccount, FinishOAuth, RequestPasswordReset, SignIn, SignUp, StartPhoneSignIn,
        UpdateProfile, VerifyPhoneSignIn,
    },
    crypto::{BrowserSecret, LinkToken, State},
    domain::{
        BreakLength, Code, CopyFormat, Draft, Email, EmailError, Erased, Password, PasswordError,
        Provider, ReferralCode, Username,
    },
    error::{Error, Refused, invalid},
};

/// Players in one request.
const MAX_IDS: usize = 100;
/// The contract's limit of players in a request of `PersonService`.
const MAX_PLAYERS: usize = 1_000;

/// Pictures in one request.
const MAX_PICTURES: usize = 1_000;

/// Longest authorization code, in bytes; several times the length of Google's and Facebook's.
const MAX_OAUTH_CODE: usize = 2_048;

/// The text that confirms the deletion of an account.
const CONFIRMATION: &str = "DELETE";

pub(super) fn break_length(length: WireBreakLength) -> Result<BreakLength, Error> {
    Ok(match length {
        WireBreakLength::Unspecified => return Err(invalid("length", "BREAK_LENGTH_UNKNOWN")),
        WireBreakLength::Day => BreakLength::Day,
        WireBreakLength::Week => BreakLength::Week,
        WireBreakLength::SixWeeks => BreakLength::SixWeeks,
        WireBreakLength::HalfYear => BreakLength::HalfYear,
        WireBreakLength::Year => BreakLength::Year,
        WireBreakLength::FiveYears => BreakLength::FiveYears,
    })
}

impl TryFrom<SignUpRequest> for SignUp {
    type Error = Error;

    fn try_from(wire: SignUpRequest) -> Result<Self, Error> {
        Ok(Self {
            email: email(&wire.email)?,
            password: Password::parse_new(wire.password).map_err(password_error)?,
            captcha: wire.captcha,
        })
    }
}

impl TryFrom<RequestPasswordResetRequest> for RequestPasswordReset {
    type Error = Error;

    fn try_from(wire: RequestPasswordResetRequest) -> Result<Self, Error> {
        Ok(Self { email: email(&wire.email)? })
    }
}

impl TryFrom<SignInRequest> for SignIn {
    type Error = Error;

    fn try_from(wire: SignInRequest) -> Result<Self, Error> {
        Ok(Self {
            email: email(&wire.email)?,
            password: Password::parse(wire.password).map_err(password_error)?,
        })
    }
}

/// A window that sends a text which is no token is refused, and not signed in by the cookie.
pub(super) fn browser_tokens(cx: &Cx, wire: &RefreshRequest) -> BrowserTokens {
    let window = cx.refresher.open(&wire.refresh_token);
    let cookie = cx.refresher.open(&wire.cookie_token);
    let is_new_window = wire.refresh_token.is_empty();
    BrowserTokens { cookie: cookie.filter(|_| is_new_window || window.is_some()), window }
}

impl TryFrom<StartPhoneSignInRequest> for StartPhoneSignIn {
    type Error = Error;

    fn try_from(wire: StartPhoneSignInRequest) -> Result<Self, Error> {
        Ok(Self {
            phone: phone(&wire.phone)?,
            captcha: wire.captcha,
            address_spent: wire.address_spent,
        })
    }
}

pub(super) fn phone_guess(cx: &Cx, wire: &VerifyPhoneSignInRequest) -> VerifyPhoneSignIn {
    VerifyPhoneSignIn {
        challenge: cx.messaging.codes.open_challenge(&wire.challenge_id),
        code: Code::parse(&wire.code),
    }
}

impl TryFrom<ConfirmPasswordResetRequest> for ConfirmPasswordReset {
    type Error = Error;

    fn try_from(wire: ConfirmPasswordResetRequest) -> Result<Self, Error> {
        Ok(Self {
            token: LinkToken::parse(&wire.token),
            password: new_password(wire.new_password)?,
        })
    }
}

impl TryFrom<ConfirmEmailRequest> for ConfirmEmail {
    type Error = Error;

    fn try_from(wire: ConfirmEmailRequest) -> Result<Self, Error> {
        let password = wire.password.map(Password::parse).transpose();
        Ok(Self {
            token: LinkToken::parse(&wire.token),
            password: password.map_err(password_error)?,
        })
    }
}

impl TryFrom<ChangePasswordRequest> for ChangePassword {
    type Error = Error;

    fn try_from(wire: ChangePasswordRequest) -> Result<Self, Error> {
        Ok(Self {
            email: email(&wire.email)?,
            old: old_password(wire.old_password)?,
            new: new_password(wire.new_password)?,
        })
    }
}

impl TryFrom<FinishOAuthRequest> for FinishOAuth {
    type Error = Error;

    fn try_from(wire: FinishOAuthRequest) -> Result<Self, Error> {
        Ok(Self {
            provider: provider(wire.provider())?,
            state: State::parse(&wire.state),
            browser: BrowserSecret::parse(&wire.browser_secret),
            answer: match wire.answer {
                Some(finish_o_auth_request::Answer::Code(code)) if code.len() <= MAX_OAUTH_CODE => {
                    Answer::Code(code)
                }
                Some(finish_o_auth_request::Answer::Error(code)) => Answer::Error(code),
                // A code that is too long, or no answer at all, is not an answer of a provider.
                Some(finish_o_auth_request::Answer::Code(_)) | None => Answer::Error(String::new()),
            },
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

impl From<DeleteAccountRequest> for DeleteAccount {
    fn from(wire: DeleteAccountRequest) -> Self {
        Self { player: PlayerId::parse(&wire.uid).ok(), confirmed: wire.confirm == CONFIRMATION }
    }
}

pub(super) fn copy_format(wire: DataCopyFormat) -> Result<CopyFormat, Error> {
    match wire {
        DataCopyFormat::Json => Ok(CopyFormat::Json),
        DataCopyFormat::Html => Ok(CopyFormat::Html),
        DataCopyFormat::Unspecified => Err(invalid("format", "DATA_COPY_FORMAT_UNKNOWN")),
    }
}

pub(super) fn provider(wire: OAuthProvider) -> Result<Provider, Error> {
    match wire {
        OAuthProvider::Google => Ok(Provider::Google),
        OAuthProvider::Facebook => Ok(Provider::Facebook),
        OAuthProvider::Unspecified => Err(invalid("provider", "PROVIDER_MISSING")),
    }
}

/// The ids of players. A text that is not an id is left out, as an unknown id is.
pub(super) fn player_ids(wire: &[String]) -> Result<Vec<PlayerId>, Error> {
    if wire.len() > MAX_IDS {
        return Err(invalid("ids", "TOO_MANY_PLAYERS"));
    }
    Ok(wire.iter().filter_map(|text| PlayerId::parse(text).ok()).collect())
}

/// Returns the players of a request of another service. A text that is no id is refused: a
/// comparison would count it as a player without a phone.
pub(super) fn persons(wire: &[String]) -> Result<Vec<PlayerId>, Error> {
    if wire.len() > MAX_PLAYERS {
        return Err(invalid("player_ids", "TOO_MANY_PLAYERS"));
    }
    let players = wire.iter().map(|text| PlayerId::parse(text));
    let players = players.collect::<Result<_, _>>();
    players.map_err(|_| invalid("player_ids", "PLAYER_ID_MALFORMED"))
}

/// Returns the players to look up. A text that is no username or no id is left out, as an unknown
/// one is.
pub(super) fn usernames_and_ids(
    wire: &BatchLookUpPlayersRequest,
) -> Result<(Vec<Username>, Vec<PlayerId>), Error> {
    if wire.usernames.len() + wire.ids.len() > MAX_IDS {
        return Err(invalid("usernames", "TOO_MANY_PLAYERS"));
    }
    let usernames = wire.usernames.iter().filter_map(|text| Username::parse(text)).collect();
    Ok((usernames, player_ids(&wire.ids)?))
}

/// Sessions to look up; a text that is no id is left out, as an unknown one is.
pub(super) fn session_ids(wire: &ListOpenSessionsRequest) -> Result<Vec<SessionId>, Error> {
    if wire.session_ids.len() > MAX_IDS {
        return Err(invalid("session_ids", "TOO_MANY_SESSIONS"));
    }
    Ok(wire.session_ids.iter().filter_map(|text| SessionId::parse(text).ok()).collect())
}

/// Returns the erased player after whom a page begins, which is absent for the first page.
pub(super) fn erased_player(wire: Option<ErasedPlayer>) -> Result<Erased, Error> {
    let Some(wire) = wire else { return Ok(Erased::default()) };
    let player =
        PlayerId::parse(&wire.id).map_err(|_| invalid("after.id", "PLAYER_ID_MALFORMED"))?;
    let at = from_timestamp(wire.erased_at, "after.erased_at");
    Ok(Erased { player, at: at.map_err(|_| invalid("after.erased_at", "TIME_MISSING"))? })
}

pub(super) fn picture_urls(wire: Vec<String>) -> Result<Vec<String>, Error> {
    if wire.len() > MAX_PICTURES {
        return Err(invalid("urls", "TOO_MANY_PICTURES"));
    }
    Ok(wire)
}

/// Parses a referral code; `None` for a text that does not have the form of one.
pub(super) fn referral_code(entered: &str) -> Result<Option<ReferralCode>, Error> {
    if entered.trim().is_empty() {
        return Err(invalid("referral_code", "REFERRAL_CODE_MISSING"));
    }
    Ok(ReferralCode::parse(entered))
}

pub(super) fn email(text: &str) -> Result<Email, Error> {
    Email::parse(text).map_err(|error| match error {
        EmailError::Empty => invalid("email", "EMAIL_NEEDED"),
        EmailError::Malformed => invalid("email", "EMAIL_INVALID"),
    })
}

pub(super) fn phone(text: &str) -> Result<Msisdn, Error> {
    if text.trim().is_empty() {
        return Err(invalid("phone", "PHONE_MISSING"));
    }
    Msisdn::parse(text.trim()).map_err(|_| invalid("phone", "PHONE_MALFORMED"))
}

fn password_error(error: PasswordError) -> Error {
    match error {
        PasswordError::Empty => invalid("password", "PASSWORD_MISSING"),
        PasswordError::TooShort => Refused::WeakPassword.into(),
        PasswordError::TooLong => invalid("password", "PASSWORD_TOO_LONG"),
    }
}

fn old_password(text: String) -> Result<Password, Error> {
    Password::parse(text).map_err(|error| match error {
        PasswordError::Empty => invalid("old_password", "OLD_PASSWORD_MISSING"),
        // No account has such a password.
        PasswordError::TooShort | PasswordError::TooLong => Refused::ReauthFailed.into(),
    })
}

fn new_password(text: String) -> Result<Password, Error> {
    Password::parse_new(text).map_err(|error| match error {
        PasswordError::Empty | PasswordError::TooShort => Refused::WeakPassword.into(),
        PasswordError::TooLong => invalid("new_password", "PASSWORD_TOO_LONG"),
    })
}
