//! Between the wire's words and ours: phones, codes, links, passwords.

use proto::{
    auth::v1::{
        ChangePasswordRequest, ConfirmPasswordResetRequest, StartPhoneSignInRequest,
        StartPhoneSignInResponse, VerifyPhoneSignInRequest,
    },
    timestamp,
};
use types::Msisdn;

use super::convert::email;
use crate::{
    app::{ChangePassword, CodeSent, ConfirmPasswordReset, StartPhoneSignIn, VerifyPhoneSignIn},
    crypto::LinkToken,
    domain::{ChallengeId, Code, Password, PasswordError},
    error::{Error, Refused},
};

impl TryFrom<StartPhoneSignInRequest> for StartPhoneSignIn {
    type Error = Error;

    fn try_from(wire: StartPhoneSignInRequest) -> Result<Self, Error> {
        Ok(Self { phone: phone(&wire.phone)?, captcha: wire.captcha })
    }
}

impl From<CodeSent> for StartPhoneSignInResponse {
    fn from(sent: CodeSent) -> Self {
        Self {
            challenge_id: sent.challenge.to_string(),
            expires_at: Some(timestamp(sent.expires_at)),
            resend_at: Some(timestamp(sent.resend_at)),
        }
    }
}

impl From<VerifyPhoneSignInRequest> for VerifyPhoneSignIn {
    fn from(wire: VerifyPhoneSignInRequest) -> Self {
        Self {
            challenge: ChallengeId::parse(&wire.challenge_id).ok(),
            code: Code::parse(&wire.code),
        }
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

fn phone(text: &str) -> Result<Msisdn, Error> {
    if text.trim().is_empty() {
        return Err(Error::invalid("phone", "Please enter your phone number."));
    }
    Msisdn::parse(text.trim())
        .map_err(|_| Error::invalid("phone", "Please enter a valid phone number."))
}

fn old_password(text: String) -> Result<Password, Error> {
    Password::offer(text).map_err(|error| match error {
        PasswordError::Empty => Error::invalid("oldPassword", "Please enter your old password."),
        // Nobody has one like that, so it is not this account's either.
        PasswordError::TooShort | PasswordError::TooLong => Refused::ReauthFailed.into(),
    })
}

fn new_password(text: String) -> Result<Password, Error> {
    Password::choose(text).map_err(|error| match error {
        PasswordError::Empty | PasswordError::TooShort => Refused::WeakPassword.into(),
        PasswordError::TooLong => {
            Error::invalid("newPassword", "Password should be at most 128 characters.")
        }
    })
}
