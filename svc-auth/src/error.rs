//! How svc-auth says no: a rule's refusal, or a failure of our own. One table
//! turns refusals into what the wire says, and has no wildcard.

use std::time::Duration;

use mesh::Fault;
use thiserror::Error;
use tonic::{Code, Status};
use tracing::info;

use crate::{
    crypto::Busy,
    domain::{FieldError, Provider},
};

/// A rule said no.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Refused {
    /// The request's form, field by field.
    #[error("fields are not valid")]
    Invalid(Vec<FieldError>),
    /// An edit without a field in it.
    #[error("there is nothing to change")]
    NothingToChange,
    /// Specification, section 5.
    #[error("the password is too short")]
    WeakPassword,
    /// Old, used, or wrong: the cure is the same.
    #[error("the captcha does not hold")]
    CaptchaExpired,
    /// Somebody signs in with that email already.
    #[error("the email is taken")]
    EmailTaken,
    /// The same for an unknown email as for a wrong password.
    #[error("wrong email or password")]
    BadCredentials,
    /// The account was tried too often.
    #[error("too many failed sign-ins")]
    TooManyFailures(Duration),
    /// This deployment has no such way of signing in.
    #[error("the way of signing in is off")]
    ProviderOff,
    /// The phone was sent too many codes.
    #[error("too many codes for one phone")]
    TooManyCodes(Duration),
    /// All codes together have cost what they may.
    #[error("codes have reached their cap")]
    SmsPaused,
    /// The network takes no messages for the number.
    #[error("the number gets no messages")]
    NoSmsForNumber,
    /// The code was not sent, and that is not the number's fault.
    #[error("the code was not sent")]
    SmsNotSent,
    /// Not the code that was sent.
    #[error("wrong code")]
    BadCode,
    /// Old, used, burnt, voided, or never sent: the cure is the same.
    #[error("the code is over")]
    CodeExpired,
    /// Old, used, voided, or never sent.
    #[error("the reset link is over")]
    ResetExpired,
    /// Old, voided, or never sent.
    #[error("the link is over")]
    LinkExpired,
    /// Email or old password are not the account's.
    #[error("not re-authenticated")]
    ReauthFailed,
    /// The account has no password to change.
    #[error("no password to change")]
    NoPasswordLogin,
    /// More at once than can be worked off in good time.
    #[error("too many at once")]
    Busy,
    /// The refresh token is unknown, over, or was used before.
    #[error("the session is over")]
    SessionRevoked,
    /// The session was refreshed far more often than anybody needs.
    #[error("too many refreshes of one session")]
    TooManyTrades(Duration),
    /// The session is somebody else's.
    #[error("another player's session")]
    ForeignSession,
    /// The profile is somebody else's.
    #[error("another player's profile")]
    ForeignProfile,
    /// The token is good, and its player is gone.
    #[error("the player is gone")]
    PlayerGone,
    /// Compared without case.
    #[error("the username is taken")]
    UsernameTaken,
    /// Nobody has that username.
    #[error("no such user")]
    UserNotFound,
    /// Out of reach, or in trouble itself.
    #[error("the provider is away")]
    ProviderAway,
    /// Unknown, used, old, of another provider or another browser: a sign-in that did
    /// not begin here.
    #[error("the sign-in did not begin here")]
    OAuthState,
    /// The player said no, over there.
    #[error("the player declined")]
    OAuthDenied,
    /// The provider does not confirm the code, or its word cannot be believed.
    #[error("the provider is not believed")]
    OAuthFailed(Provider),
    /// The code for the session is unknown, used or old.
    #[error("the exchange code is over")]
    OAuthExpired,
    /// Nobody has that referral code, or nobody any more.
    #[error("no such referral code")]
    ReferralNotFound,
    /// A code is entered once.
    #[error("a referral code was entered before")]
    ReferralUsed,
    /// Nobody is their own friend.
    #[error("the player's own referral code")]
    OwnReferral,
}

/// Why a use case did not do what was asked.
#[derive(Debug, Error)]
pub enum Error {
    /// A rule's answer; nothing is wrong with us.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// Ours.
    #[error(transparent)]
    Failed(#[from] anyhow::Error),
}

impl Error {
    /// A refusal of one field.
    pub(crate) fn invalid(field: &'static str, text: &'static str) -> Self {
        Refused::Invalid(vec![FieldError { field, text }]).into()
    }
}

impl From<sqlx::Error> for Error {
    fn from(cause: sqlx::Error) -> Self {
        // Lost against another call at the same row: trying again helps.
        if mesh::db::is_conflict(&cause) {
            Refused::Busy.into()
        } else {
            Self::Failed(cause.into())
        }
    }
}

impl From<Busy> for Error {
    fn from(Busy: Busy) -> Self {
        Refused::Busy.into()
    }
}

impl From<Refused> for Fault {
    #[expect(clippy::too_many_lines, reason = "a table, and in one piece so that it is exhaustive")]
    fn from(refused: Refused) -> Self {
        let (code, reason, text) = match refused {
            Refused::Invalid(errors) => return invalid(&errors),
            Refused::TooManyFailures(wait)
            | Refused::TooManyCodes(wait)
            | Refused::TooManyTrades(wait) => return Self::rate_limited(wait),
            Refused::Busy | Refused::SmsNotSent => return Self::unavailable(),
            Refused::PlayerGone => return Self::unauthenticated(),
            Refused::NothingToChange => {
                (Code::InvalidArgument, "INVALID_ARGUMENT", "There is nothing to change.")
            }
            Refused::WeakPassword => (
                Code::InvalidArgument,
                "WEAK_PASSWORD",
                "Password should be at least 6 characters.",
            ),
            Refused::CaptchaExpired => (
                Code::InvalidArgument,
                "CAPTCHA_EXPIRED",
                "CAPTCHA has expired. Please solve it again.",
            ),
            Refused::EmailTaken => {
                (Code::AlreadyExists, "EMAIL_TAKEN", "An account with that email already exists.")
            }
            Refused::BadCredentials => {
                (Code::Unauthenticated, "BAD_CREDENTIALS", "Wrong email or password.")
            }
            Refused::ProviderOff => (
                Code::FailedPrecondition,
                "PROVIDER_OFF",
                "That way of signing in is switched off. Please use another one.",
            ),
            Refused::SmsPaused => (
                Code::Unavailable,
                "SMS_PAUSED",
                "We cannot send codes right now. Please sign in another way or try again later.",
            ),
            Refused::NoSmsForNumber => {
                (Code::InvalidArgument, "SMS_REFUSED", "We cannot send a code to that number.")
            }
            Refused::BadCode => (Code::Unauthenticated, "BAD_CODE", "That code is not right."),
            Refused::CodeExpired => (
                Code::FailedPrecondition,
                "CODE_EXPIRED",
                "That code is no longer good. Please ask for a new one.",
            ),
            Refused::ResetExpired => (
                Code::FailedPrecondition,
                "RESET_EXPIRED",
                "That link is no longer good. Please ask for a new one.",
            ),
            Refused::LinkExpired => {
                (Code::FailedPrecondition, "LINK_EXPIRED", "That link is no longer good.")
            }
            Refused::ReauthFailed => (
                Code::Unauthenticated,
                "REAUTH_FAILED",
                "Could not re-authenticate you. If this error persists, Try to use the reset \
                 password link at the bottom of this page.",
            ),
            Refused::NoPasswordLogin => (
                Code::FailedPrecondition,
                "NO_PASSWORD_LOGIN",
                "Your sign-in method does not allow you to change your password. Try to use the \
                 reset password link at the bottom of this page.",
            ),
            Refused::SessionRevoked => (
                Code::Unauthenticated,
                "SESSION_REVOKED",
                "Your session has ended. Please sign in again.",
            ),
            Refused::ForeignSession => {
                (Code::PermissionDenied, "PERMISSION_DENIED", "That session is not yours.")
            }
            Refused::ForeignProfile => {
                (Code::PermissionDenied, "PERMISSION_DENIED", "That profile is not yours.")
            }
            Refused::UsernameTaken => {
                (Code::AlreadyExists, "USERNAME_TAKEN", "That username is already taken.")
            }
            Refused::UserNotFound => (Code::NotFound, "USER_NOT_FOUND", "User not found"),
            Refused::ProviderAway => return Self::unavailable(),
            Refused::OAuthState => (
                Code::InvalidArgument,
                "OAUTH_STATE",
                "That sign-in did not start in this browser, or took too long. Please try again.",
            ),
            Refused::OAuthDenied => {
                (Code::PermissionDenied, "OAUTH_DENIED", "You cancelled the sign-in.")
            }
            Refused::OAuthFailed(provider) => {
                let text = match provider {
                    Provider::Google => "We could not sign you in with Google. Please try again.",
                    Provider::Facebook => {
                        "We could not sign you in with Facebook. Please try again."
                    }
                };
                (Code::Unauthenticated, "OAUTH_FAILED", text)
            }
            Refused::OAuthExpired => (
                Code::FailedPrecondition,
                "OAUTH_EXPIRED",
                "That sign-in took too long. Please try again.",
            ),
            Refused::ReferralNotFound => {
                (Code::NotFound, "REFERRAL_NOT_FOUND", "We do not know that referral code.")
            }
            Refused::ReferralUsed => (
                Code::AlreadyExists,
                "REFERRAL_ALREADY_USED",
                "You have already used a referral code.",
            ),
            Refused::OwnReferral => (
                Code::FailedPrecondition,
                "OWN_REFERRAL",
                "That is your own referral code. Give it to a friend.",
            ),
        };
        Self::new(code, reason, text)
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refused) => {
                info!(refused = %refused, "refused");
                Fault::from(refused).into()
            }
            Error::Failed(cause) => Fault::failure(&cause).into(),
        }
    }
}

fn invalid(errors: &[FieldError]) -> Fault {
    let fields = errors.iter().map(|error| (error.field.to_owned(), error.text.to_owned()));
    Fault::invalid(fields.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bad_field_is_the_message_and_all_are_named() {
        let refused = Refused::Invalid(vec![
            FieldError { field: "name", text: "Please enter your name." },
            FieldError { field: "dob", text: "Please enter your date of birth." },
        ]);
        let fault = Fault::from(refused);
        assert_eq!(fault.message, "Please enter your name.");
        assert_eq!(fault.fields.len(), 2);
    }

    #[test]
    fn a_wait_is_told_as_it_is() {
        let wait = Duration::from_millis(1_001);
        let fault = Fault::from(Refused::TooManyFailures(wait));
        assert_eq!(fault.retry_after, Some(wait));
    }
}
