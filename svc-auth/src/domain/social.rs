//! People as Google and Facebook know them.

use super::Email;

/// Who vouches for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provider {
    /// By OpenID Connect.
    Google,
    /// By its own OAuth 2.0 and Graph.
    Facebook,
}

impl Provider {
    /// What a database holds.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Google => "GOOGLE",
            Self::Facebook => "FACEBOOK",
        }
    }

    /// Reads [`Self::as_str`] back.
    pub(crate) fn read(text: &str) -> Option<Self> {
        [Self::Google, Self::Facebook].into_iter().find(|provider| provider.as_str() == text)
    }

    /// As people call it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Google => "Google",
            Self::Facebook => "Facebook",
        }
    }

    /// As our own addresses spell it.
    pub(crate) const fn slug(self) -> &'static str {
        match self {
            Self::Google => "google",
            Self::Facebook => "facebook",
        }
    }
}

/// How an account got another way in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Joined {
    pub(crate) provider: Provider,
    /// From whoever had merely typed the address in, with their password and sessions.
    pub(crate) taken_over: bool,
}

/// What a provider says of somebody, proved.
#[derive(Debug, Clone)]
pub(crate) struct Person {
    /// The provider's own name for the account; it never changes.
    pub(crate) subject: String,
    /// As typed there, by our rules not judged yet.
    pub(crate) name: Option<String>,
    /// An address, in our spelling.
    pub(crate) email: Option<Email>,
    /// The provider has seen that the address is this person's.
    pub(crate) email_vouched: bool,
}

impl Person {
    /// Longest subject (OpenID Connect Core, section 2).
    pub(crate) const MAX_SUBJECT: usize = 255;

    /// The address, if somebody vouches for it: what may join accounts.
    pub(crate) fn proved_email(&self) -> Option<&Email> {
        self.email.as_ref().filter(|_| self.email_vouched)
    }
}
