//! The refusals of svc-auth, with the gRPC code and REASON of each.

use std::time::Duration;

use mesh::Fault;
use thiserror::Error;
use tonic::Code;

use crate::{
    crypto::Busy,
    domain::{FieldError, OPERATORS_MAX, OperatorName, Provider, Roles},
};

/// The error of every use case.
pub(crate) type Error = mesh::Error<Refused>;

/// Refusals by the rules of the service.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum Refused {
    #[error("fields of the request are not valid")]
    Invalid(Vec<FieldError>),
    #[error("the edit has no field")]
    NothingToChange,
    #[error("the password is too short")]
    WeakPassword,
    #[error("the password is common, or made of the account's own data")]
    GuessablePassword,
    /// The captcha is expired, spent or wrong: the remedy is the same.
    #[error("the captcha is expired, spent or wrong")]
    CaptchaExpired,
    #[error("the email is another account's")]
    EmailTaken,
    /// The refusal is the same for an unknown email as for a wrong password.
    #[error("wrong email or password")]
    BadCredentials,
    #[error("too many failed sign-ins of one account")]
    TooManySignInFailures(Duration),
    #[error("too many failed sign-ins of one account since its last success")]
    PasswordLocked,
    #[error("this way of signing in is switched off")]
    ProviderOff,
    #[error("too many codes for one phone")]
    TooManyCodes(Duration),
    #[error("the budget for text messages is spent")]
    SmsPaused,
    #[error("the network does not deliver messages to the number")]
    NoSmsForNumber,
    #[error("the SMS provider did not accept the message")]
    SmsNotSent,
    #[error("the code is not the one that was sent")]
    BadCode,
    /// The code is expired, used or voided, or was never sent: the remedy is the same.
    #[error("the code is expired or used")]
    CodeExpired,
    #[error("the account has no address that a code can be mailed to")]
    NoConfirmationAddress,
    #[error("the player is not known on the device")]
    DeviceNotFound,
    #[error("the player has proven too many phones for withdrawals")]
    TooManyPayoutPhones,
    #[error("the player has no complete copy of their data")]
    DataCopyNotFound,
    #[error("the reset link is expired or used")]
    ResetExpired,
    #[error("the confirmation link is expired or voided")]
    LinkExpired,
    #[error("the caller has neither a session of the account nor its password")]
    PasswordNeeded,
    #[error("email or old password are not the account's")]
    ReauthFailed,
    #[error("the account has no password")]
    NoPasswordLogin,
    #[error("the queue of password hashes is full")]
    Busy,
    #[error("the refresh token is unknown, expired or was reused")]
    SessionRevoked,
    #[error("the session was refreshed too often")]
    TooManyRotations(Duration),
    #[error("the profile is another player's")]
    ForeignProfile,
    /// The access token is valid, but its player was erased.
    #[error("the player no longer exists")]
    PlayerGone,
    #[error("the username is another player's")]
    UsernameTaken,
    #[error("no player has that username")]
    UserNotFound,
    #[error("the identity provider is unavailable")]
    ProviderUnavailable,
    /// The attempt is unknown, used, expired, or another provider's or browser's.
    #[error("the sign-in was not started by this browser")]
    OAuthState,
    #[error("the player declined at the provider")]
    OAuthDenied,
    #[error("the provider's reply is not valid")]
    OAuthFailed(Provider),
    #[error("the exchange code is unknown, used or expired")]
    OAuthExpired,
    #[error("another account signs in with the email of the provider's account")]
    EmailCodeNeeded,
    #[error("no active player has that referral code")]
    ReferralNotFound,
    #[error("the player has entered a referral code before")]
    ReferralUsed,
    #[error("the referral code is the player's own")]
    OwnReferral,
    #[error("{0} is not on the list of operators")]
    OperatorUnknown(String),
    #[error("the operator has none of the roles that the call needs")]
    RoleMissing(Roles),
    #[error("the operator's certificate was revoked")]
    CertificateRevoked,
    #[error("a second operator has to make the same change")]
    NeedsSecondOperator,
    #[error("the operator {} has all roles by the configuration", .0.as_str())]
    FirstOperator(OperatorName),
    #[error("there are as many operators as there may be")]
    TooManyOperators,
}

/// A refusal of one field.
pub(crate) fn invalid(field: &'static str, key: &'static str) -> Error {
    Refused::Invalid(vec![FieldError { field, key }]).into()
}

impl mesh::Refusal for Refused {
    fn of_constraint(constraint: &str) -> Option<Self> {
        match constraint {
            "player_username_key" => Some(Self::UsernameTaken),
            _ => None,
        }
    }
}

impl From<Busy> for Error {
    fn from(Busy: Busy) -> Self {
        Refused::Busy.into()
    }
}

impl From<Refused> for Fault {
    fn from(refused: Refused) -> Self {
        let (code, reason) = match refused {
            Refused::Invalid(errors) => return invalid_fields(&errors),
            Refused::OAuthFailed(provider) => {
                return Self::new(Code::Unauthenticated, "OAUTH_FAILED")
                    .param("provider", provider.name());
            }
            Refused::TooManyOperators => {
                return Self::new(Code::FailedPrecondition, "TOO_MANY_OPERATORS")
                    .param("max", OPERATORS_MAX);
            }
            Refused::OperatorUnknown(name) => {
                return Self::new(Code::PermissionDenied, "OPERATOR_UNKNOWN")
                    .param("operator", name);
            }
            Refused::RoleMissing(roles) => {
                return Self::new(Code::PermissionDenied, "ROLE_MISSING")
                    .param("roles", roles.names().join(", "));
            }
            Refused::CertificateRevoked => (Code::PermissionDenied, "CERTIFICATE_REVOKED"),
            Refused::FirstOperator(name) => {
                return Self::new(Code::FailedPrecondition, "FIRST_OPERATOR")
                    .param("operator", name.as_str());
            }
            Refused::NeedsSecondOperator => (Code::FailedPrecondition, "NEEDS_SECOND_OPERATOR"),
            Refused::NothingToChange => (Code::InvalidArgument, "NOTHING_TO_CHANGE"),
            Refused::WeakPassword => (Code::InvalidArgument, "WEAK_PASSWORD"),
            Refused::GuessablePassword => (Code::InvalidArgument, "GUESSABLE_PASSWORD"),
            Refused::CaptchaExpired => (Code::InvalidArgument, "CAPTCHA_EXPIRED"),
            Refused::EmailTaken => (Code::AlreadyExists, "EMAIL_TAKEN"),
            Refused::BadCredentials => (Code::Unauthenticated, "BAD_CREDENTIALS"),
            Refused::TooManySignInFailures(wait)
            | Refused::TooManyCodes(wait)
            | Refused::TooManyRotations(wait) => return Self::rate_limited(wait),
            Refused::PasswordLocked => (Code::PermissionDenied, "PASSWORD_LOCKED"),
            Refused::ProviderOff => (Code::FailedPrecondition, "PROVIDER_OFF"),
            Refused::SmsPaused => (Code::Unavailable, "SMS_PAUSED"),
            Refused::NoSmsForNumber => (Code::InvalidArgument, "SMS_REFUSED"),
            Refused::BadCode => (Code::Unauthenticated, "BAD_CODE"),
            Refused::CodeExpired => (Code::FailedPrecondition, "CODE_EXPIRED"),
            Refused::NoConfirmationAddress => (Code::FailedPrecondition, "NO_CONFIRMATION_ADDRESS"),
            Refused::DeviceNotFound => (Code::NotFound, "DEVICE_NOT_FOUND"),
            Refused::TooManyPayoutPhones => (Code::FailedPrecondition, "TOO_MANY_PAYOUT_PHONES"),
            Refused::DataCopyNotFound => (Code::NotFound, "DATA_COPY_NOT_FOUND"),
            Refused::ResetExpired => (Code::FailedPrecondition, "RESET_EXPIRED"),
            Refused::LinkExpired => (Code::FailedPrecondition, "LINK_EXPIRED"),
            Refused::PasswordNeeded => (Code::PermissionDenied, "PASSWORD_NEEDED"),
            Refused::ReauthFailed => (Code::Unauthenticated, "REAUTH_FAILED"),
            Refused::NoPasswordLogin => (Code::FailedPrecondition, "NO_PASSWORD_LOGIN"),
            Refused::Busy | Refused::SmsNotSent | Refused::ProviderUnavailable => {
                (Code::Unavailable, "UNAVAILABLE")
            }
            Refused::SessionRevoked => (Code::Unauthenticated, "SESSION_REVOKED"),
            Refused::ForeignProfile => (Code::PermissionDenied, "PERMISSION_DENIED"),
            Refused::PlayerGone => (Code::Unauthenticated, "UNAUTHENTICATED"),
            Refused::UsernameTaken => (Code::AlreadyExists, "USERNAME_TAKEN"),
            Refused::UserNotFound => (Code::NotFound, "USER_NOT_FOUND"),
            Refused::OAuthState => (Code::InvalidArgument, "OAUTH_STATE"),
            Refused::OAuthDenied => (Code::PermissionDenied, "OAUTH_DENIED"),
            Refused::OAuthExpired => (Code::FailedPrecondition, "OAUTH_EXPIRED"),
            Refused::EmailCodeNeeded => (Code::FailedPrecondition, "EMAIL_CODE_NEEDED"),
            Refused::ReferralNotFound => (Code::NotFound, "REFERRAL_NOT_FOUND"),
            Refused::ReferralUsed => (Code::AlreadyExists, "REFERRAL_ALREADY_USED"),
            Refused::OwnReferral => (Code::FailedPrecondition, "OWN_REFERRAL"),
        };
        Self::new(code, reason)
    }
}

fn invalid_fields(errors: &[FieldError]) -> Fault {
    Fault::invalid(errors.iter().map(|error| (error.field, error.key.into())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_invalid_field_is_the_message_and_all_are_named() {
        let refused = Refused::Invalid(vec![
            FieldError { field: "name", key: "NAME_MISSING" },
            FieldError { field: "dob", key: "DOB_MISSING" },
        ]);
        let fault = Fault::from(refused);
        assert_eq!(fault.message, "Please enter your name.");
        assert_eq!(fault.fields.len(), 2);
    }

    #[test]
    fn the_wait_of_a_rate_limit_is_passed_on_exactly() {
        let wait = Duration::from_millis(1_001);
        let fault = Fault::from(Refused::TooManySignInFailures(wait));
        assert_eq!(fault.retry_after, Some(wait));
    }

    #[test]
    fn a_failed_sign_in_names_its_provider() {
        let fault = Fault::from(Refused::OAuthFailed(Provider::Google));
        assert_eq!(fault.message, "We could not sign you in with Google. Please try again.");
    }
}
