//! Types and rules: pure and synchronous, without a database or the network.

mod challenge;
mod code;
mod code_rate_limit;
mod data_copy;
mod device;
mod device_challenge;
mod erased;
mod link;
mod mail_budget;
mod operator;
mod password;
mod payout_phone;
mod person;
mod picture;
mod play_break;
mod profile;
mod provider_join;
mod reference;
mod referral;
mod refresh_token_family;
mod reserved;
mod sign_in_rate_limit;
mod sms_budget;
mod social;
mod wrong_guesses;

pub(crate) use challenge::SentCode;
pub(crate) use code::{ChallengeId, Code, CodeLength};
pub(crate) use code_rate_limit::CodeRateLimit;
pub(crate) use data_copy::{CopyFormat, DataCopy, Source};
pub(crate) use device::{Arrival, Confirmable, DeviceId, KnownDevice, REST, Standing};
pub(crate) use device_challenge::DeviceChallenge;
pub(crate) use erased::Erased;
pub(crate) use link::{Link, LinkKind, RESET_MAILS, RESET_WINDOW, RETRY_WINDOW};
pub(crate) use mail_budget::{MailBudget, MailCause};
pub(crate) use operator::{
    OPERATORS_MAX, Operator, OperatorName, ProposedRoles, RevokedCertificate, Roles, Serial,
};
pub(crate) use password::{OwnWords, Password, PasswordError};
pub(crate) use payout_phone::{PayoutPhone, PayoutPhoneChallenge};
pub(crate) use person::{IdentityKind, SharedIdentity};
pub(crate) use picture::Picture;
pub(crate) use play_break::BreakLength;
pub(crate) use profile::{
    Draft, Edit, FieldError, PlayerNames, Profile, PublicPlayer, ReferenceData, Username,
    name_from_provider,
};
pub(crate) use provider_join::ProviderJoin;
pub(crate) use reference::{Country, Currency};
pub(crate) use referral::{Referral, ReferralCode};
pub(crate) use refresh_token_family::{
    RefreshDecision, RefreshTokenFamily, RotationPolicy, TokenHash,
};
pub(crate) use reserved::ReservedUsernames;
pub(crate) use sign_in_rate_limit::{Failures, SignInRateLimit, TooManyFailures};
pub(crate) use sms_budget::{SmsBudget, SmsSpent};
pub(crate) use social::{EmailTrust, Person, Provider, ProviderAccount, ProviderJoined};
pub(crate) use types::{Email, EmailError};
pub(crate) use wrong_guesses::WrongGuesses;
