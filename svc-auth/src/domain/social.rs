//! People as Google and Facebook identify them.

use super::Email;

/// An identity provider.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, strum::Display, strum::EnumString, strum::IntoStaticStr,
)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Provider {
    /// Google, by OpenID Connect.
    Google,
    /// Facebook, by its own OAuth 2.0 flow and the Graph API.
    Facebook,
}

impl Provider {
    /// The value of a database column.
    pub(crate) fn as_str(self) -> &'static str {
        self.into()
    }

    /// The name that players know.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Google => "Google",
            Self::Facebook => "Facebook",
        }
    }

    /// The segment of our URLs.
    pub(crate) const fn slug(self) -> &'static str {
        match self {
            Self::Google => "google",
            Self::Facebook => "facebook",
        }
    }
}

/// How an account was joined with a provider's account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ProviderJoined {
    pub(crate) provider: Provider,
    /// Whether the address had not been verified, so that the password, sessions and links
    /// of the one who had registered it were removed.
    pub(crate) taken_over: bool,
}

/// How far a provider's statement about an address is trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum EmailTrust {
    /// The provider has not verified it.
    Unverified,
    /// The provider verified it once. The mailbox may have another owner by now.
    Verified,
    /// The provider runs the mailbox.
    Authoritative,
}

/// A provider's account, and the address by which it finds its player.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProviderAccount<'a> {
    pub(crate) provider: Provider,
    pub(crate) subject: &'a str,
    /// The address that the provider has verified.
    pub(crate) email: Option<&'a Email>,
    /// Whether the address was proven to be this person's: by a provider that runs the mailbox,
    /// or by a mailed code.
    pub(crate) is_proven: bool,
}

/// A person as a provider's verified reply describes them.
#[derive(Debug, Clone)]
pub(crate) struct Person {
    /// The provider's id for the account; it never changes.
    pub(crate) subject: String,
    /// The name as entered at the provider; not validated by our rules.
    pub(crate) name: Option<String>,
    pub(crate) email: Option<Email>,
    pub(crate) email_trust: EmailTrust,
}

impl Person {
    /// Longest subject, in bytes (OpenID Connect Core, section 2).
    pub(crate) const MAX_SUBJECT: usize = 255;

    /// The address, if the provider verified it: only such an address finds an account.
    pub(crate) fn verified_email(&self) -> Option<&Email> {
        self.email.as_ref().filter(|_| self.email_trust >= EmailTrust::Verified)
    }

    /// The person's account at a provider.
    pub(crate) fn account(&self, provider: Provider) -> ProviderAccount<'_> {
        let is_proven = self.email_trust == EmailTrust::Authoritative;
        let (subject, email) = (self.subject.as_str(), self.verified_email());
        ProviderAccount { provider, subject, email, is_proven }
    }
}
