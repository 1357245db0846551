//! Nouns and rules: pure, synchronous, without a store or a wire.

mod challenge;
mod code;
mod email;
mod guard;
mod lineage;
mod link;
mod password;
mod picture;
mod profile;
mod reference;
mod referral;
mod sending;
mod social;

pub(crate) use challenge::SentCode;
pub(crate) use code::{ChallengeId, Code};
pub(crate) use email::{Email, EmailError};
pub(crate) use guard::{Guard, SPARED_FOR, Verdict as GuardVerdict};
pub(crate) use lineage::{Lineage, Terms, TokenHash, Verdict as LineageVerdict};
pub(crate) use link::{Link, LinkKind, RESET_MAILS, RESET_WINDOW, SAID_AGAIN};
pub(crate) use password::{Password, PasswordError};
pub(crate) use picture::Picture;
pub(crate) use profile::{Draft, Edit, Facts, Profile, PublicPlayer, Username, told_name};
pub(crate) use reference::{Country, Currency};
pub(crate) use referral::{Referral, ReferralCode};
pub(crate) use sending::{Budget, REMEMBERED, Sendings, Spent};
pub use social::Provider;
pub(crate) use social::{Joined, Person};

/// What is wrong with one field of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldError {
    /// The field, as the HTTP contract spells it.
    pub field: &'static str,
    /// The sentence that the player reads.
    pub text: &'static str,
}
